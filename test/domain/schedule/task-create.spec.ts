import { ScheduledTask } from '../../../src/schedule/domain/task';
import { dataOf, title } from '../../support/schedule-cases';
import { at, created, NOON, OWNER, POLICY, refusal, submission } from '../../support/schedule-builders';

describe('a task as submitted', () => {
  test('starts enabled, with its next instant, no history and the defaults of every optional field', () => {
    const task = created();
    expect(task.rule).toEqual({
      id: 'task-1',
      owner: OWNER,
      title: 'Morning report',
      prompt: 'Say what happened last night.',
      assistantId: 'sample',
      contextMode: 'fresh_thread_per_run',
      threadId: null,
      workingFolder: null,
      spec: task.spec,
      overlapPolicy: 'skip',
      misfireGraceSeconds: null,
      queueTimeoutSeconds: null,
      recurring: true,
      sessionId: null,
      createdAt: NOON,
      updatedAt: NOON,
      deletedAt: null,
    });
    expect(task.progress).toEqual({
      status: 'enabled',
      nextRunAt: at('2026-07-28T09:00:00Z'),
      lastRunAt: null,
      lastRunId: null,
      lastThreadId: null,
      lastError: null,
      runCount: 0,
      missedOccurrences: 0,
      version: 1,
    });
    expect(task.scheduleType).toBe('cron');
  });

  test('every field of both halves can be read from the task itself', () => {
    const task = created({ workingFolder: '/srv/reports', misfireGraceSeconds: 60 });
    const fields = { ...task.rule, ...task.progress };
    expect(task).toMatchObject(fields);
    expect(Object.keys(fields)).toHaveLength(26);
  });

  test(title('create-02'), () => {
    expect(created({ contextMode: 'fresh_thread_per_run', threadId: 't-1' }).threadId).toBeNull();
  });
  test(title('create-03'), () => {
    expect(created({ contextMode: 'reuse_thread', threadId: 't-1' })).toMatchObject({
      contextMode: 'reuse_thread',
      threadId: 't-1',
    });
  });
  test(title('create-08'), () => {
    expect(created({ contextMode: null }).contextMode).toBe('fresh_thread_per_run');
  });
  test(title('create-09'), () => {
    expect(refusal(() => created({ title: '' }))).toMatchObject({ kind: 'invalid', field: 'title' });
    expect(refusal(() => created({ prompt: '' }))).toMatchObject({ kind: 'invalid', field: 'prompt' });
  });
  test(title('create-11'), () => {
    expect(refusal(() => created({ title: 'x'.repeat(256) }))).toMatchObject({ kind: 'invalid', field: 'title' });
  });
  test(title('create-12'), () => {
    const rule = new RegExp(dataOf<{ pattern: string }>('create-12').pattern);
    const refused = ['a.b', 'x'.repeat(65), '', 'ä', 'a/b', 'a b', 'a\n', '../etc'];
    for (const contextMode of ['reuse_thread', 'fresh_thread_per_run']) {
      for (const threadId of refused) {
        expect(rule.test(threadId)).toBe(false);
        const error = refusal(() => created({ contextMode, threadId }));
        expect(error).toMatchObject({ kind: 'invalid', field: 'thread_id' });
      }
    }
    const longest = 'Az0_-'.padEnd(64, 'x');
    expect(rule.test(longest)).toBe(true);
    expect(created({ contextMode: 'reuse_thread', threadId: longest }).threadId).toBe(longest);
  });
  test('a thread without a mode is refused: fresh would drop it', () => {
    const error = refusal(() => created({ threadId: 't-1' }));
    expect(error).toMatchObject({ kind: 'invalid', field: 'thread_id' });
    expect(error.message).toContain('context_mode reuse_thread');
  });
  test('a bound task needs a thread', () => {
    expect(refusal(() => created({ contextMode: 'reuse_thread' }))).toMatchObject({
      kind: 'invalid',
      field: 'thread_id',
    });
  });
  test.each([
    ['context_mode', { contextMode: 'teleport' }],
    ['overlap_policy', { overlapPolicy: 'enqueue' }],
    ['queue_timeout_seconds', { queueTimeoutSeconds: 59 }],
    ['queue_timeout_seconds', { queueTimeoutSeconds: 604_801 }],
    ['session_id', { durable: false }],
    ['durable', { durable: true, sessionId: 'session-1' }],
    ['assistant_id', { assistantId: null }],
    ['assistant_id', { assistantId: '' }],
    ['assistant_id', { assistantId: 'x'.repeat(129) }],
    ['assistant_id', { assistantId: 'a\0' }],
    ['working_folder', { workingFolder: 'a\0' }],
    ['working_folder', { workingFolder: 'x'.repeat(4_097) }],
    ['misfire_grace_seconds', { misfireGraceSeconds: -1 }],
    ['misfire_grace_seconds', { misfireGraceSeconds: 1.5 }],
    ['misfire_grace_seconds', { misfireGraceSeconds: 31_536_001 }],
    ['misfire_grace_seconds', { misfireGraceSeconds: Number.NaN }],
  ])('a bad %s is refused by name: %j', (field, changes) => {
    expect(refusal(() => created(changes))).toMatchObject({ kind: 'invalid', field });
  });
  test('a misfire grace of 0 and an empty folder mean none', () => {
    expect(created({ misfireGraceSeconds: 0, workingFolder: '' })).toMatchObject({
      misfireGraceSeconds: null,
      workingFolder: null,
    });
  });
});

describe('the moment of a once task', () => {
  const inSeconds = (delay: number): ScheduledTask =>
    created({ scheduleType: 'once', scheduleSpec: { run_at: new Date(NOON.getTime() + delay * 1_000).toISOString() } });

  test(title('submit-01'), () => {
    const { delay, floor } = dataOf<{ delay: number; floor: number }>('submit-01');
    expect(POLICY.minOnceDelaySeconds).toBe(floor);
    const error = refusal(() => inSeconds(delay));
    expect(error).toMatchObject({ kind: 'invalid', field: 'schedule_spec.run_at' });
    expect(error.message).toContain('60 s');
    expect(inSeconds(floor).nextRunAt).toEqual(at('2026-07-27T12:01:00Z'));
  });
  test(title('submit-03'), () => {
    const past = refusal(() => inSeconds(-1));
    expect(past).toMatchObject({ kind: 'invalid', field: 'schedule_spec.run_at' });
    expect(past.message).toContain('not in the future');
    expect(refusal(() => inSeconds(59)).message).not.toContain('not in the future');
  });
  test(title('submit-04'), () => {
    const task = created({ scheduleSpec: { cron: '* * * * *' } }, at('2026-07-27T12:00:58Z'));
    expect(task.nextRunAt).toEqual(at('2026-07-27T12:01:00Z'));
  });
  test('may be given as a delay from now', () => {
    const task = created({ scheduleType: 'once', scheduleSpec: { delay_seconds: 600 } });
    expect(task.nextRunAt).toEqual(at('2026-07-27T12:10:00Z'));
  });
  test('too short a delay is refused by its own name', () => {
    const error = refusal(() => created({ scheduleType: 'once', scheduleSpec: { delay_seconds: 59 } }));
    expect(error).toMatchObject({ code: 'schedule.once-too-soon', field: 'schedule_spec.delay_seconds' });
    expect(error.message).toContain('at least 60');
  });
});

describe('the order of refusals: texts, schedule, context mode', () => {
  const bad = { title: '', scheduleSpec: { cron: 'x' }, contextMode: 'reuse_thread' };
  test('texts first', () => expect(refusal(() => created(bad)).field).toBe('title'));
  test(title('submit-07'), () => {
    // A pure function of the submission: no thread has been looked up by the time the schedule is refused.
    const error = refusal(() => created({ ...bad, title: 'x', threadId: 'unknown-thread' }));
    expect(error.field).toBe('schedule_spec.cron');
  });
  test('then the context mode', () => {
    expect(refusal(() => created({ ...bad, title: 'x', scheduleSpec: { cron: '* * * * *' } })).field).toBe('thread_id');
  });
});

describe('a duplicate', () => {
  const later = at('2026-08-15T10:00:00Z');
  const copyOf = (task: ScheduledTask, changes = {}): ScheduledTask => task.duplicate(changes, POLICY, later, 'task-2');

  test('of a fresh task with a thread alone is refused, and with its mode it goes on there', () => {
    expect(refusal(() => copyOf(created(), { threadId: 't-2' })).field).toBe('thread_id');
    const bound = copyOf(created(), { threadId: 't-2', contextMode: 'reuse_thread' });
    expect(bound).toMatchObject({ contextMode: 'reuse_thread', threadId: 't-2' });
    expect(copyOf(bound, { threadId: 't-3' })).toMatchObject({ contextMode: 'reuse_thread', threadId: 't-3' });
    expect(copyOf(bound, { contextMode: 'fresh_thread_per_run' }).threadId).toBeNull();
  });

  test('has the same rule under another id and title, and no history', () => {
    const model = created({
      contextMode: 'reuse_thread',
      threadId: 't-1',
      misfireGraceSeconds: 90,
      workingFolder: '/w',
    });
    const used = new ScheduledTask(model.rule, { ...model.progress, runCount: 7, lastError: 'boom', version: 12 });
    const copy = copyOf(used);
    expect(copy.rule).toEqual({
      ...model.rule,
      id: 'task-2',
      title: 'Morning report (copy)',
      createdAt: later,
      updatedAt: later,
    });
    expect(copy.progress).toEqual({ ...created().progress, nextRunAt: at('2026-08-16T09:00:00Z') });
  });
  test('takes changes along', () => {
    const copy = copyOf(created(), { title: 'Evening report', scheduleSpec: { cron: '0 18 * * *' } });
    expect(copy).toMatchObject({ title: 'Evening report', nextRunAt: at('2026-08-15T18:00:00Z') });
  });
  test('of the longest title still fits, and never ends in half a character', () => {
    const copy = copyOf(created({ title: '\u{1f4c5}'.repeat(255) }));
    expect([...copy.title]).toHaveLength(255);
    expect(copy.title.endsWith('\u{1f4c5} (copy)')).toBe(true);
  });
  test('of a once task whose moment has passed needs a new moment', () => {
    const model = created({ scheduleType: 'once', scheduleSpec: { run_at: '2026-08-01T09:00' } });
    expect(refusal(() => copyOf(model))).toMatchObject({ kind: 'invalid', field: 'schedule_spec.run_at' });
    const copy = copyOf(model, { scheduleSpec: { run_at: '2026-09-01T09:00' } });
    expect(copy.nextRunAt).toEqual(at('2026-09-01T09:00:00Z'));
  });
  test('of a once task to come keeps its moment to the millisecond, in its zone', () => {
    const model = created({
      scheduleType: 'once',
      scheduleSpec: { run_at: '2026-09-01T09:00:00.123' },
      timezone: 'Asia/Shanghai',
    });
    expect(copyOf(model).spec).toEqual(model.spec);
  });
  test('of a paused task is paused', () => {
    expect(copyOf(created().pause(NOON)).status).toBe('paused');
    expect(copyOf(created()).status).toBe('enabled');
  });
});

test('nothing of a task can be changed in place by its methods', () => {
  const task = created();
  const before = structuredClone({ ...task.rule, spec: null, ...task.progress });
  task.edit({ title: 'x', timezone: 'Asia/Tokyo' }, POLICY, NOON);
  task.pause(at('2026-07-29T00:00:00Z'));
  task.delete(NOON);
  task.duplicate({}, POLICY, NOON, 'task-2');
  expect({ ...task.rule, spec: null, ...task.progress }).toEqual(before);
  expect(submission()).toEqual(submission());
});
