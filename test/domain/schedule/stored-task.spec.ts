import { CorruptTaskError } from '../../../src/schedule/domain/errors';
import { progressOfCorrupt, repairTask, restoreTask } from '../../../src/schedule/domain/stored-task';
import type { StoredTask } from '../../../src/schedule/domain/stored-task';
import { mayBeClaimed } from '../../../src/schedule/domain/dispatch';
import { toWire } from '../../../src/schedule/domain/schedule-spec';
import { changed } from '../../../src/schedule/domain/task-progress';
import { title } from '../../support/schedule-cases';
import { aTask, at, cron, NOON, once, POLICY, refusal } from '../../support/schedule-builders';

function stored(changes: Partial<StoredTask> = {}, task = aTask()): StoredTask {
  const { spec, ...rule } = task.rule;
  return {
    ...rule,
    ...task.progress,
    scheduleType: spec.type,
    scheduleSpec: toWire(spec),
    timezone: spec.zone.name,
    ...changes,
  };
}

const CORRUPT: [string, Partial<StoredTask>][] = [
  ['a cron that is none', { scheduleSpec: { cron: 'every day' } }],
  ['no spec at all', { scheduleSpec: null }],
  ['a spec of the other type', { scheduleSpec: { run_at: '2026-08-01T09:00:00+00:00' } }],
  ['an impossible date', { scheduleType: 'once', scheduleSpec: { run_at: '2026-02-30T00:00:00' } }],
  ['an unknown zone', { timezone: 'Mars/Olympus_Mons' }],
  ['an unknown type', { scheduleType: 'teleport' }],
  ['an unknown status', { status: 'sleeping' }],
  ['an unknown mode', { contextMode: 'teleport' }],
  ['an unknown overlap policy', { overlapPolicy: 'explode' }],
  ['a bound mode without its thread', { contextMode: 'reuse_thread' }],
  ['a fresh mode with a thread', { threadId: 't-1' }],
];

describe('a stored row', () => {
  test.each([
    aTask(),
    aTask({ spec: once('2026-08-01T09:00:00.5', 'Asia/Shanghai'), status: 'paused', runCount: 3, version: 9 }),
    aTask({ contextMode: 'reuse_thread', threadId: 't-1', misfireGraceSeconds: 60, deletedAt: NOON }),
  ])('comes back as the task it was (%#)', (task) => {
    const back = restoreTask(stored({}, task));
    expect(back.rule).toEqual(task.rule);
    expect(back.progress).toEqual(task.progress);
  });
  test(title('corrupt-01'), () => {
    for (const [, changes] of CORRUPT) {
      const error = refusal(() => restoreTask(stored(changes)));
      expect(error).toMatchObject({ kind: 'corrupt', code: 'schedule.task-corrupt' });
      expect(error).not.toHaveProperty('field');
      expect(error.message).toMatch(/PATCH/);
    }
  });
  test.each(CORRUPT)('is corrupt with %s', (_what, changes) => {
    expect(() => restoreTask(stored(changes))).toThrow(CorruptTaskError);
  });
  test('a fault of ours while reading is not blamed on the row', () => {
    const broken = (): never => {
      throw new TypeError('ours');
    };
    expect(() => restoreTask(stored(), broken)).toThrow(TypeError);
  });
  test(title('corrupt-06'), () => {
    const task = stored({ scheduleSpec: { cron: 'x' }, nextRunAt: NOON });
    const error = new CorruptTaskError(task.id, 'its cron is none.');
    const after = changed({ ...task, status: 'enabled' }, progressOfCorrupt(error));
    expect(after).toMatchObject({ status: 'failed', nextRunAt: null, missedOccurrences: 1, lastError: error.message });
    expect(mayBeClaimed({ ...after, deletedAt: null }, null, at('2027-01-01T00:00:00Z'))).toBe(false);
  });
});

describe('repairing', () => {
  const whole = { scheduleSpec: { cron: '0 10 * * *' }, timezone: 'UTC' };
  const corrupt = (changes: Partial<StoredTask> = {}): StoredTask =>
    stored({ scheduleSpec: { cron: 'x' }, status: 'failed', nextRunAt: null, runCount: 4, ...changes });

  test(title('corrupt-04'), () => {
    const mended = repairTask(corrupt(), whole, POLICY, NOON);
    expect(mended.spec).toEqual(cron('0 10 * * *'));
    expect(mended).toMatchObject({
      id: 'task-1',
      status: 'enabled',
      nextRunAt: at('2026-07-28T10:00:00Z'),
      runCount: 4,
      updatedAt: NOON,
      title: 'Morning report',
    });
  });
  test.each([
    ['no schedule', { title: 'x' }],
    ['no zone', { scheduleSpec: whole.scheduleSpec }],
    ['no spec', { timezone: 'UTC' }],
    ['nulls', { scheduleSpec: null, timezone: null }],
  ])('needs a whole schedule: %s is refused as corrupt', (_what, patch) => {
    const error = refusal(() => repairTask(corrupt(), patch, POLICY, NOON));
    expect(error).toMatchObject({ kind: 'corrupt' });
    expect(error.message).toMatch(/schedule_spec and timezone/);
  });
  test('a bad schedule is the fault of who sends it', () => {
    const patch = { ...whole, scheduleSpec: { cron: '99 * * * *' } };
    expect(refusal(() => repairTask(corrupt(), patch, POLICY, NOON))).toMatchObject({
      kind: 'invalid',
      field: 'schedule_spec.cron',
    });
  });
  test('mends unknown type, mode, policy and status along with it', () => {
    const row = corrupt({ scheduleType: 'teleport', contextMode: '?', overlapPolicy: '?', status: '?' });
    const patch = { scheduleType: 'once', scheduleSpec: { run_at: '2026-08-01T09:00' }, timezone: 'UTC' };
    expect(repairTask(row, patch, POLICY, NOON)).toMatchObject({
      scheduleType: 'once',
      contextMode: 'fresh_thread_per_run',
      threadId: null,
      overlapPolicy: 'skip',
      status: 'enabled',
      nextRunAt: at('2026-08-01T09:00:00Z'),
    });
    expect(refusal(() => repairTask(row, whole, POLICY, NOON)).field).toBe('schedule_type');
  });
  test('a bound row without its thread asks for one', () => {
    const row = corrupt({ contextMode: 'reuse_thread', threadId: null });
    expect(refusal(() => repairTask(row, whole, POLICY, NOON)).field).toBe('thread_id');
    expect(repairTask(row, { ...whole, threadId: 't-2' }, POLICY, NOON).threadId).toBe('t-2');
  });
  test('a paused row stays paused, a running one is refused', () => {
    expect(repairTask(corrupt({ status: 'paused' }), whole, POLICY, NOON).status).toBe('paused');
    expect(refusal(() => repairTask(corrupt({ status: 'running' }), whole, POLICY, NOON)).kind).toBe('conflict');
  });
});
