// Test support. A task and a run to start from, with only what a test is about said by the test.
import { ScheduledRun } from '../../src/schedule/domain/run';
import type { RunFields } from '../../src/schedule/domain/run';
import type { SchedulePolicy } from '../../src/schedule/domain/schedule-policy';
import { BLANK, ScheduledTask } from '../../src/schedule/domain/task';
import type { CreateTaskFields } from '../../src/schedule/domain/task';
import type { TaskProgress } from '../../src/schedule/domain/task-progress';
import type { TaskRule } from '../../src/schedule/domain/task-rule';
import { restoreScheduleSpec } from '../../src/schedule/domain/schedule-spec';
import type { ScheduleSpec } from '../../src/schedule/domain/schedule-spec';

export const OWNER = { tenantId: 1, userId: 'alice' };
export const POLICY: SchedulePolicy = {
  minOnceDelaySeconds: 60,
  maxConcurrentRuns: 10,
  lookAheadMs: 0,
  leaseSeconds: 120,
  launchUnknownDeadlineSeconds: 900,
  pollIntervalSeconds: 5,
  queueTimeoutSeconds: 3_600,
};

/** Monday, noon UTC: the instant at which most tests happen. */
export const NOON = at('2026-07-27T12:00:00Z');

export function at(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`Not an instant: ${text}`);
  return date;
}

export function cron(text: string, zone = 'UTC'): ScheduleSpec {
  return restoreScheduleSpec('cron', { cron: text }, zone);
}

export function once(runAt: string, zone = 'UTC'): ScheduleSpec {
  return restoreScheduleSpec('once', { run_at: runAt }, zone);
}

/** A complete and valid submission of a cron task. */
export function submission(changes: Partial<CreateTaskFields> = {}): CreateTaskFields {
  return {
    owner: OWNER,
    title: 'Morning report',
    prompt: 'Say what happened last night.',
    assistantId: 'sample',
    scheduleType: 'cron',
    scheduleSpec: { cron: '0 9 * * *' },
    timezone: 'UTC',
    ...changes,
  };
}

export function created(changes: Partial<CreateTaskFields> = {}, now = NOON): ScheduledTask {
  return ScheduledTask.create(submission(changes), POLICY, now, 'task-1');
}

/** A stored task as it stands, whether people could have brought it there or not. */
export function aTask(changes: Partial<TaskRule> & Partial<TaskProgress> = {}): ScheduledTask {
  const spec = changes.spec ?? cron('0 9 * * *');
  const rule: TaskRule = {
    id: 'task-1',
    owner: OWNER,
    title: 'Morning report',
    prompt: 'Say what happened last night.',
    assistantId: 'sample',
    contextMode: 'fresh_thread_per_run',
    threadId: null,
    workingFolder: null,
    spec,
    overlapPolicy: 'skip',
    misfireGraceSeconds: null,
    queueTimeoutSeconds: null,
    recurring: true,
    sessionId: null,
    createdAt: at('2026-07-01T00:00:00Z'),
    updatedAt: at('2026-07-01T00:00:00Z'),
    deletedAt: null,
  };
  const nextRunAt = spec.type === 'once' ? spec.runAt : at('2026-07-28T09:00:00Z');
  const progress: TaskProgress = { ...BLANK, nextRunAt };
  return new ScheduledTask(picked(rule, changes), picked(progress, changes));
}

export function aRun(changes: Partial<RunFields> = {}): ScheduledRun {
  const fresh = ScheduledRun.queued({
    id: 'task-run-1',
    taskId: 'task-1',
    owner: OWNER,
    threadId: 'thread-1',
    scheduledFor: NOON,
    trigger: 'scheduled',
    instanceId: 'instance-1',
    createdAt: NOON,
  });
  return new ScheduledRun({ ...fresh, ...changes });
}

/** What a refusal says of itself. */
export function refusal(act: () => unknown): {
  name: string;
  kind: string;
  code: string;
  field?: string;
  message: string;
} {
  try {
    act();
  } catch (error) {
    const { name, kind, code, field, message } = error as ReturnType<typeof refusal>;
    return { name, kind, code, message, ...(field === undefined ? {} : { field }) };
  }
  throw new Error('It was not refused.');
}

function picked<T extends object>(defaults: T, changes: Partial<T>): T {
  const known = Object.entries(changes).filter(([field]) => field in defaults);
  return { ...defaults, ...Object.fromEntries(known) };
}
