import { ScheduledTask } from '../../../src/schedule/domain/task';
import type { TaskPatch } from '../../../src/schedule/domain/task';
import type { TaskStatus } from '../../../src/schedule/domain/status';
import { title, withData } from '../../support/schedule-cases';
import { aTask, at, cron, NOON, once, POLICY, refusal } from '../../support/schedule-builders';

const edit = (task: ScheduledTask, patch: TaskPatch, now = NOON): ScheduledTask => task.edit(patch, POLICY, now);

describe('a partial edit', () => {
  test(title('patch-01'), () => {
    const task = aTask();
    const edited = edit(task, { title: 'Evening report' });
    expect(edited.rule).toEqual({ ...task.rule, title: 'Evening report', updatedAt: NOON });
    expect(edited.progress).toBe(task.progress);
  });
  test(title('patch-02'), () => {
    const task = aTask();
    expect(edit(task, {})).toBe(task);
  });
  test('null in every field is the same as absent', () => {
    const task = aTask({ contextMode: 'reuse_thread', threadId: 't-1', misfireGraceSeconds: 60, workingFolder: '/w' });
    const nulls: Required<TaskPatch> = {
      title: null,
      prompt: null,
      assistantId: null,
      contextMode: null,
      threadId: null,
      workingFolder: null,
      scheduleType: null,
      scheduleSpec: null,
      timezone: null,
      overlapPolicy: null,
      queueTimeoutSeconds: null,
      recurring: null,
      misfireGraceSeconds: null,
    };
    expect(edit(task, nulls)).toBe(task);
  });
  test('every word of the rule can be changed, and progress stays', () => {
    const task = aTask();
    const patch = { title: 'a', prompt: 'b', assistantId: 'c', workingFolder: '/d', misfireGraceSeconds: 5 };
    const edited = edit(task, { ...patch, overlapPolicy: 'skip' });
    expect(edited.rule).toEqual({ ...task.rule, ...patch, updatedAt: NOON });
    expect(edited.progress).toBe(task.progress);
  });
  test('an empty folder and a grace of 0 take them away', () => {
    const task = aTask({ misfireGraceSeconds: 60, workingFolder: '/w' });
    expect(edit(task, { workingFolder: '', misfireGraceSeconds: 0 })).toMatchObject({
      workingFolder: null,
      misfireGraceSeconds: null,
    });
  });
  test.each([
    ['title', { title: '' }],
    ['prompt', { prompt: '' }],
    ['assistant_id', { assistantId: '' }],
    ['timezone', { timezone: 'Mars/Olympus_Mons' }],
    ['schedule_spec.cron', { scheduleSpec: { cron: '61 * * * *' } }],
    ['schedule_spec', { scheduleSpec: 'x' }],
  ])('a bad %s is refused by name', (field, patch) => {
    expect(refusal(() => edit(aTask(), patch))).toMatchObject({ kind: 'invalid', field });
  });
  test('the texts are checked before the schedule, and the schedule before the context mode', () => {
    const bad = { title: '', scheduleSpec: { run_at: '2020-01-01' }, contextMode: 'reuse_thread' };
    const task = aTask({ spec: once('2026-08-01T09:00:00') });
    expect(refusal(() => edit(task, bad)).field).toBe('title');
    expect(refusal(() => edit(task, { ...bad, title: 'x' })).field).toBe('schedule_spec.run_at');
    expect(refusal(() => edit(task, { contextMode: 'reuse_thread' })).field).toBe('thread_id');
  });
});

describe('an edit of the schedule', () => {
  test(title('patch-04'), () => {
    const task = aTask({ spec: cron('0 9 * * *', 'Asia/Shanghai') });
    const edited = edit(task, { scheduleSpec: { cron: '30 10 * * *' } });
    expect(edited.spec).toEqual(cron('30 10 * * *', 'Asia/Shanghai'));
    expect(edited.nextRunAt).toEqual(at('2026-07-28T02:30:00Z'));
  });
  test(title('patch-05'), () => {
    const edited = edit(aTask(), { timezone: 'Asia/Shanghai' });
    expect(edited.spec).toEqual(cron('0 9 * * *', 'Asia/Shanghai'));
    expect(edited.nextRunAt).toEqual(at('2026-07-28T01:00:00Z'));
  });
  test('only the zone of a once task keeps its instant, asks nothing of it and never re-arms', () => {
    const soon = aTask({ spec: once('2026-07-27T12:00:10Z') });
    const relabelled = edit(soon, { timezone: 'Asia/Shanghai' });
    expect(relabelled.spec).toEqual(once('2026-07-27T12:00:10Z', 'Asia/Shanghai'));
    expect(relabelled.progress).toBe(soon.progress);
    const done = aTask({ spec: once('2026-07-01T09:00:00Z'), status: 'completed', nextRunAt: null });
    expect(edit(done, { timezone: 'Asia/Tokyo' })).toMatchObject({ status: 'completed', nextRunAt: null });
  });
  test('a new moment without offset is read in the stored zone', () => {
    const task = aTask({ spec: once('2026-08-01T09:00:00', 'Asia/Shanghai') });
    const edited = edit(task, { scheduleSpec: { run_at: '2026-08-02T09:00' } });
    expect(edited.nextRunAt).toEqual(at('2026-08-02T01:00:00Z'));
  });
  test(title('patch-07'), () => {
    const task = aTask();
    expect(refusal(() => edit(task, { scheduleSpec: { cron: '0 9 * *' } }))).toMatchObject({
      kind: 'invalid',
      field: 'schedule_spec.cron',
    });
    expect(task.spec).toEqual(cron('0 9 * * *'));
  });
  test(`${title('patch-08')} (our rule: refused by name, never ignored)`, () => {
    const patch = { scheduleType: 'once', scheduleSpec: { run_at: '2026-08-01T09:00' } };
    expect(refusal(() => edit(aTask(), patch))).toMatchObject({ kind: 'invalid', field: 'schedule_type' });
    const task = aTask();
    expect(edit(task, { scheduleType: 'cron' })).toBe(task);
  });
  test(title('patch-16'), () => {
    const task = aTask({ spec: once('2026-07-01T09:00:00Z'), status: 'completed', nextRunAt: null });
    const error = refusal(() => edit(task, { scheduleSpec: { run_at: '2026-07-02T09:00' } }));
    expect(error).toMatchObject({ kind: 'invalid', field: 'schedule_spec.run_at' });
    expect(task.status).toBe('completed');
  });
  test(title('patch-17'), () => {
    const edited = edit(aTask({ status: 'paused' }), { scheduleSpec: { cron: '0 10 * * *' } });
    expect(edited).toMatchObject({ status: 'paused', nextRunAt: at('2026-07-28T10:00:00Z') });
  });
  test(title('patch-19'), () => {
    const patches: TaskPatch[] = [{}, { title: 'x' }, { timezone: 'Asia/Tokyo' }, { title: '' }];
    for (const patch of patches) {
      const error = refusal(() => edit(aTask({ status: 'running' }), patch));
      expect(error).toMatchObject({ kind: 'conflict', code: 'schedule.task-dispatching' });
    }
  });
  test.each(withData<{ before: TaskStatus; after: TaskStatus }>('patch', 'before'))(
    '%s',
    (_title, { before, after }) => {
      const task = aTask({ spec: once('2026-07-01T09:00:00Z'), status: before, nextRunAt: null, lastError: 'boom' });
      const edited = edit(task, { scheduleSpec: { run_at: '2026-08-01T09:00' } });
      expect(edited).toMatchObject({ status: after, nextRunAt: at('2026-08-01T09:00:00Z'), lastError: 'boom' });
    },
  );
  test.each<[TaskStatus, TaskStatus]>([
    ['enabled', 'enabled'],
    ['paused', 'paused'],
    ['completed', 'enabled'],
    ['failed', 'enabled'],
    ['cancelled', 'enabled'],
  ])('of a once task that is %s leaves it %s, with the new moment', (status, after) => {
    const task = aTask({ spec: once('2026-07-01T09:00:00Z'), status, nextRunAt: null });
    const edited = edit(task, { scheduleSpec: { run_at: '2026-08-01T09:00' } });
    expect(edited).toMatchObject({ status: after, nextRunAt: at('2026-08-01T09:00:00Z') });
  });
});

describe('re-saving a rule as it is', () => {
  test('never moves next_run_at, due or not, and writes nothing', () => {
    for (const nextRunAt of [at('2026-07-27T09:00:00Z'), at('2026-07-28T09:00:00Z')]) {
      const task = aTask({ nextRunAt });
      expect(edit(task, { scheduleSpec: { cron: ' 0  9 * * * ' }, timezone: 'UTC', title: task.title })).toBe(task);
    }
  });
  test('asks nothing of a moment that has passed meanwhile, and does not wake a finished task', () => {
    const done = aTask({ spec: once('2026-07-01T09:00:00Z'), status: 'completed', nextRunAt: null });
    const edited = edit(done, { title: 'x', scheduleSpec: { run_at: '2026-07-01T09:00:00+00:00' } });
    expect(edited.progress).toBe(done.progress);
    const early = aTask({ spec: once('2026-08-01T09:00:00Z'), status: 'completed', nextRunAt: null });
    expect(edit(early, { scheduleSpec: { run_at: '2026-08-01T09:00:00' } })).toBe(early);
  });
});

describe('a due next_run_at that an edit moves away', () => {
  const patch = { scheduleSpec: { cron: '0 18 * * *' } };
  test('is counted as missed, with those that had collapsed into it', () => {
    const task = aTask({ nextRunAt: at('2026-07-25T09:00:00Z'), missedOccurrences: 2 });
    expect(edit(task, patch)).toMatchObject({ missedOccurrences: 5, nextRunAt: at('2026-07-27T18:00:00Z') });
  });
  test('is due at the very instant', () => {
    expect(edit(aTask({ nextRunAt: NOON, spec: cron('0 12 * * *') }), patch).missedOccurrences).toBe(1);
  });
  test('is not counted when it was not due', () => expect(edit(aTask(), patch).missedOccurrences).toBe(0));
  test('is not counted on a paused task: paused time has no occurrences', () => {
    const task = aTask({ status: 'paused', nextRunAt: at('2026-07-01T09:00:00Z') });
    expect(edit(task, patch).missedOccurrences).toBe(0);
  });
  test('is counted for a once task', () => {
    const task = aTask({ spec: once('2026-07-27T11:59:00Z') });
    expect(edit(task, { scheduleSpec: { run_at: '2026-08-01T09:00' } }).missedOccurrences).toBe(1);
  });
  test('counts to 1,000 and no further', () => {
    const task = aTask({ spec: cron('* * * * *'), nextRunAt: at('2026-01-01T00:00:00Z'), missedOccurrences: 7 });
    expect(edit(task, patch).missedOccurrences).toBe(1_007);
  });
});

describe('switching context modes', () => {
  const bound = (): ScheduledTask => aTask({ contextMode: 'reuse_thread', threadId: 't-1' });
  test(title('patch-10'), () => {
    expect(refusal(() => edit(aTask(), { contextMode: 'reuse_thread' }))).toMatchObject({
      kind: 'invalid',
      field: 'thread_id',
    });
  });
  test('a lone thread on a fresh task is refused, never dropped', () => {
    expect(refusal(() => edit(aTask(), { threadId: 't-2' }))).toMatchObject({ kind: 'invalid', field: 'thread_id' });
  });
  test('too short a delay is refused by its own name', () => {
    const task = aTask({ spec: once('2026-08-01T09:00:00Z') });
    expect(refusal(() => edit(task, { scheduleSpec: { delay_seconds: 1 } })).field).toBe('schedule_spec.delay_seconds');
  });
  test.each<[string, ScheduledTask, TaskPatch, string, string | null]>([
    ['fresh to bound', aTask(), { contextMode: 'reuse_thread', threadId: 't-2' }, 'reuse_thread', 't-2'],
    [
      'bound to fresh lets the thread go',
      bound(),
      { contextMode: 'fresh_thread_per_run' },
      'fresh_thread_per_run',
      null,
    ],
    [
      'bound to fresh drops a thread sent along',
      bound(),
      { contextMode: 'fresh_thread_per_run', threadId: 't-2' },
      'fresh_thread_per_run',
      null,
    ],
    ['a lone thread on a bound task', bound(), { threadId: 't-2' }, 'reuse_thread', 't-2'],
    ['bound again, thread from what is stored', bound(), { contextMode: 'reuse_thread' }, 'reuse_thread', 't-1'],
  ])('%s', (_what, task, patch, contextMode, threadId) => {
    const edited = edit(task, patch);
    expect(edited).toMatchObject({ contextMode, threadId });
    expect(edited.progress).toBe(task.progress);
  });
});

describe('a new time-zone database', () => {
  const wrong = at('2026-07-28T08:00:00Z');
  test('computes a future instant again, for enabled and paused tasks', () => {
    for (const status of ['enabled', 'paused'] as const) {
      const task = aTask({ status, nextRunAt: wrong });
      expect(task.recompute(NOON)).toMatchObject({
        status,
        nextRunAt: at('2026-07-28T09:00:00Z'),
        missedOccurrences: 0,
      });
    }
  });
  test('leaves a due instant, a right one, a single moment and finished or running tasks alone', () => {
    const untouched = [
      aTask({ nextRunAt: at('2026-07-27T08:00:00Z') }),
      aTask(),
      aTask({ spec: once('2026-08-01T09:00:00Z'), nextRunAt: wrong }),
      aTask({ status: 'failed', nextRunAt: wrong }),
      aTask({ status: 'running', nextRunAt: wrong }),
      aTask({ nextRunAt: null }),
    ];
    for (const task of untouched) expect(task.recompute(NOON)).toBe(task);
  });
});
