// Inbound. A task as people read it on the command line.
import { inOneLine, localTime, sheet, visible } from '../../platform/cli/for-people';
import type { TaskDetailResponse, TaskResponse } from './task.response';

export function taskPath(id: string, action?: string): string {
  return `/api/scheduled-tasks/${encodeURIComponent(id)}${action === undefined ? '' : `/${action}`}`;
}

/** All of it; the moments on the task's own clock. */
export function taskSheet(task: TaskResponse & Partial<Pick<TaskDetailResponse, 'next_runs'>>): string {
  const time = (moment: string | null) => localTime(moment, task.timezone);
  const { next_runs: next = [] } = task;
  const lines: (readonly [string, string])[] = [
    ['id', task.id],
    ['title', inOneLine(task.title, 255)],
    ['status', task.status],
    ['schedule', `${scheduleInWords(task)} (${task.timezone})`],
    ['next run', [time(task.next_run_at), ...next.slice(1).map(time)].join('\n')],
    ['last run', time(task.last_run_at)],
    ['runs', `${task.run_count}${task.missed_occurrences === 0 ? '' : `, missed ${task.missed_occurrences}`}`],
    ['assistant', task.assistant_id],
    ['thread', task.thread_id ?? 'a new one for each run'],
  ];
  if (task.last_error !== null) lines.push(['last error', visible(task.last_error)]);
  if (task.working_folder !== null) lines.push(['working folder', visible(task.working_folder)]);
  if (task.misfire_grace_seconds !== null) lines.push(['misfire grace', `${task.misfire_grace_seconds} s`]);
  lines.push(['prompt', visible(task.prompt)]);
  return sheet(lines);
}

export function scheduleInWords({ schedule_type: type, schedule_spec: spec, timezone }: TaskResponse): string {
  const { cron, run_at: at } = spec as { cron?: string; run_at?: string };
  if (cron !== undefined) return cron;
  return at === undefined ? type : `once, ${localTime(at, timezone)}`;
}
