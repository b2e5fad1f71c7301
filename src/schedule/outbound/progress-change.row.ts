// Outbound. How a change of a task's progress is written: a JSON object of the columns to set and the amounts to add, so
// that one statement applies a different change to each of many tasks and leaves every other column as it is by now.
import type { ProgressChange } from '../domain/task-progress';

/** `c.change` is the object, `s` the row of scheduled_task_states. */
export const APPLY_CHANGE = `
  status = case when c.change ? 'status' then c.change ->> 'status' else s.status end,
  next_run_at = case when c.change ? 'next_run_at' then (c.change ->> 'next_run_at')::timestamptz else s.next_run_at end,
  last_run_at = case when c.change ? 'last_run_at' then (c.change ->> 'last_run_at')::timestamptz else s.last_run_at end,
  last_run_id = case when c.change ? 'last_run_id' then c.change ->> 'last_run_id' else s.last_run_id end,
  last_thread_id = case when c.change ? 'last_thread_id' then c.change ->> 'last_thread_id' else s.last_thread_id end,
  last_error = case when c.change ? 'last_error' then c.change ->> 'last_error' else s.last_error end,
  run_count = s.run_count + coalesce((c.change ->> 'run_count_by')::integer, 0),
  failures_in_a_row = coalesce((c.change ->> 'failures_in_a_row')::integer, s.failures_in_a_row),
  missed_occurrences = s.missed_occurrences + coalesce((c.change ->> 'missed_by')::integer, 0),
  version = s.version + 1`;

const COLUMNS: Readonly<Record<keyof ProgressChange, string>> = {
  status: 'status',
  nextRunAt: 'next_run_at',
  lastRunAt: 'last_run_at',
  lastRunId: 'last_run_id',
  lastThreadId: 'last_thread_id',
  lastError: 'last_error',
  runCountBy: 'run_count_by',
  missedBy: 'missed_by',
};

export function changeColumns(change: ProgressChange): Record<string, unknown> {
  return Object.fromEntries(
    (Object.keys(change) as (keyof ProgressChange)[]).map((key) => [COLUMNS[key], change[key]]),
  );
}
