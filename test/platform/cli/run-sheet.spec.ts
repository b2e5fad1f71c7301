// What a person reads of runs on the command line.
import { runSheet, runTable } from '../../../src/schedule/inbound/run-sheet';
import type { RunResponse } from '../../../src/schedule/inbound/run.response';

const RUN: RunResponse = {
  id: 'task-run-1',
  task_id: 'task-1',
  thread_id: 'thread-1',
  run_id: null,
  scheduled_for: '2026-07-27T09:00:00+00:00',
  trigger: 'scheduled',
  status: 'success',
  reason: null,
  error: null,
  started_at: '2026-07-27T11:00:00+00:00',
  finished_at: '2026-07-27T11:00:03+00:00',
  lateness_ms: 7_200_000,
  late_reason: 'nobody_looking',
  created_at: '2026-07-27T11:00:00+00:00',
};

const whyColumn = (table: string): string | undefined =>
  table.split('\n')[1]?.slice(table.split('\n')[0]?.indexOf('why'));

test.each<[Partial<RunResponse>, string]>([
  [{}, 'late: nobody_looking'],
  [{ status: 'failed', error: 'boom' }, 'late: nobody_looking; boom'],
  [{ status: 'skipped', reason: 'too_late', error: 'too late', late_reason: null }, 'too_late: too late'],
  [{ late_reason: null }, '-'],
])('the list says why a run was late, and why it ended as it did: %j', (changes, why) => {
  expect(whyColumn(runTable([{ ...RUN, ...changes }], 'UTC'))?.trim()).toBe(why);
});

test('so does the sheet of one run', () => {
  expect(runSheet(RUN, null, 'UTC')).toMatch(/^late because +nobody_looking$/m);
  expect(runSheet({ ...RUN, late_reason: null }, null, 'UTC')).not.toContain('late because');
});
