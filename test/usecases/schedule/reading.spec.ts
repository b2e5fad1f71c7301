// Reading: histories, previews, the backlog; and the one thing that is computed anew when the world's clocks change.
import { systemActor } from '../../../src/kernel/actor';
import { PreviewSchedule } from '../../../src/schedule/usecases/preview-schedule';
import { ReadRuns } from '../../../src/schedule/usecases/read-runs';
import { ReadTasks } from '../../../src/schedule/usecases/read-tasks';
import { RecomputeNextRuns } from '../../../src/schedule/usecases/recompute-next-runs';
import { ScheduleBacklog } from '../../../src/schedule/usecases/schedule-backlog';
import { KnownThreads } from '../../support/fakes/known-threads';
import { NotedFacts } from '../../support/fakes/noted-facts';
import { RecordedLog } from '../../support/fakes/recorders';
import { ALICE, BOB, InMemoryHouse } from '../../support/in-memory-house';
import { aRun, aTask, at, NOON, once, POLICY } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';

const PAGE = { limit: 50, offset: 0 };
let house: InMemoryHouse;
beforeEach(() => {
  house = new InMemoryHouse();
});

describe('the history', () => {
  const reading = (): ReadRuns => new ReadRuns(house.tasks, house.runs);

  test('of a task, also of one that cannot be read', async () => {
    await house.is.put(aTask());
    await house.is.putRun(aRun());
    await house.is.putRun(aRun({ id: 'task-run-2', taskId: 'task-2' }));
    await house.is.spoil('task-1');
    expect(await reading().ofTask(ALICE, 'task-1', {}, PAGE)).toEqual([aRun()]);
  });
  test(title('isolation-07'), async () => {
    const refused = { kind: 'not-found', code: 'schedule.task-not-found' };
    await expect(reading().ofTask(BOB, 'task-1', {}, PAGE)).rejects.toMatchObject(refused);
    await house.is.put(aTask());
    await house.is.putRun(aRun());
    await expect(reading().ofTask(BOB, 'task-1', {}, PAGE)).rejects.toMatchObject(refused);
    await expect(reading().one(BOB, 'task-run-1')).rejects.toMatchObject({ code: 'schedule.run-not-found' });
    expect(await reading().list(BOB, {}, PAGE)).toEqual([]);
  });
  test('over all tasks keeps the runs of those that were deleted', async () => {
    await house.is.put(aTask().delete(NOON));
    await house.is.putRun(aRun());
    expect(await reading().list(ALICE, {}, PAGE)).toEqual([aRun()]);
    await expect(reading().ofTask(ALICE, 'task-1', {}, PAGE)).rejects.toMatchObject({ kind: 'not-found' });
    expect(await reading().one(ALICE, 'task-run-1')).toEqual(aRun());
  });
});

describe('tasks', () => {
  test('one that cannot be read says so when it is read alone, and is left out of the list', async () => {
    const reading = new ReadTasks(house.tasks, new KnownThreads());
    await house.is.put(aTask());
    await house.is.put(aTask({ id: 'task-2' }));
    await house.is.spoil('task-1');
    await expect(reading.one(ALICE, 'task-1')).rejects.toMatchObject({ kind: 'corrupt' });
    expect(await reading.list(ALICE, {}, PAGE)).toEqual([aTask({ id: 'task-2' })]);
  });
});

describe('a preview', () => {
  const preview = new PreviewSchedule();

  test('of a cron schedule: so many instants after now, or after the given one', () => {
    const asked = { cron: '0 9 * * *', timezone: 'UTC', count: 2 };
    const instants = (found: ReturnType<PreviewSchedule['run']>) => found.runs.map((run) => run.at);
    expect(instants(preview.run(asked, NOON))).toEqual([at('2026-07-28T09:00:00Z'), at('2026-07-29T09:00:00Z')]);
    expect(instants(preview.run({ ...asked, count: 1, after: at('2027-01-01T09:00:00Z') }, NOON))).toEqual([
      at('2027-01-02T09:00:00Z'),
    ]);
  });
  test('of a moment: it, or nothing when it has come', () => {
    const asked = { runAt: '2026-08-01T09:00', timezone: 'Europe/Berlin', count: 5 };
    expect(preview.run(asked, NOON)).toMatchObject({
      spec: { type: 'once' },
      runs: [{ at: at('2026-08-01T07:00:00Z') }],
    });
    expect(preview.run({ ...asked, after: at('2026-08-01T07:00:00Z') }, NOON).runs).toEqual([]);
  });
  test.each([
    ['schedule_spec.cron', { cron: '61 * * * *', timezone: 'UTC' }],
    ['schedule_spec.run_at', { runAt: '2026-02-30T09:00', timezone: 'UTC' }],
    ['timezone', { cron: '0 9 * * *', timezone: 'Mars/Olympus' }],
  ])('refuses what would be refused: %s', (field, asked) => {
    expect(() => preview.run({ count: 5, ...asked }, NOON)).toThrow(
      expect.objectContaining({ kind: 'invalid', field }),
    );
  });
});

describe('the backlog', () => {
  test('comes with the number of places', async () => {
    await house.is.put(aTask({ nextRunAt: NOON }));
    expect(await new ScheduleBacklog(house.ledger, POLICY).read(NOON)).toEqual({
      ...{ dueTasks: 1, oldestDueAt: NOON, activeRuns: 0, tasksWithoutNextRun: 0, budget: 10 },
    });
  });
});

describe('a new time-zone database', () => {
  let facts: NotedFacts;
  let log: RecordedLog;
  const start = (version: string) => new RecomputeNextRuns(house.tasks, facts, log).run(version, NOON);
  /** As an older version would have computed it. */
  const STALE = { nextRunAt: at('2026-07-28T10:00:00Z') };
  const next = async (id: string) => (await house.is.state(id)).nextRunAt;
  beforeEach(() => {
    facts = new NotedFacts();
    log = new RecordedLog();
  });

  test('on the first start there is nothing to compare with', async () => {
    await house.is.put(aTask(STALE));
    expect(await start('2026a')).toBe(0);
    expect(await next('task-1')).toEqual(STALE.nextRunAt);
    expect(await facts.read('time-zone-database')).toBe('2026a');
  });
  test('the same one does nothing', async () => {
    await start('2026a');
    await house.is.put(aTask(STALE));
    expect(await start('2026a')).toBeNull();
  });
  test('another one computes every next run again, except those that are due, and says how many moved', async () => {
    await start('2026a');
    const due = { nextRunAt: NOON };
    await house.is.put(aTask(STALE));
    await house.is.put(aTask({ id: 'task-2', ...STALE, status: 'paused' }));
    await house.is.put(aTask({ id: 'task-3', ...due }));
    await house.is.put(aTask({ id: 'task-4' }));
    await house.is.put(aTask({ id: 'task-5', spec: once('2026-08-01T09:00:00Z') }));
    await house.is.put(aTask({ id: 'task-6', ...STALE, owner: { tenantId: 2, userId: 'bob' } }));
    expect(await start('2026b')).toBe(3);
    for (const id of ['task-1', 'task-2', 'task-6']) expect(await next(id)).toEqual(at('2026-07-28T09:00:00Z'));
    expect(await next('task-3')).toEqual(NOON);
    expect(await house.is.state('task-4')).toMatchObject({ version: 1 });
    expect(log.warnings).toEqual([expect.stringMatching(/2026b.*2026a.*3/)]);
    expect(await start('2026b')).toBeNull();
  });
  test('reaches all of more tasks than fit a page, whatever rows are left out of one', async () => {
    await start('2026a');
    for (let nr = 1_000; nr < 2_100; nr++) await house.is.put(aTask({ id: `task-${nr}`, ...STALE }));
    await house.is.spoil('task-1100');
    expect(await start('2026b')).toBe(1_099);
  });
  test('loses to whoever wrote the task meanwhile, and starts over when the process died on the way', async () => {
    await start('2026a');
    await house.is.put(aTask(STALE));
    const save = house.tasks.save.bind(house.tasks);
    house.tasks.save = () => Promise.reject(new Error('the database is away'));
    await expect(start('2026b')).rejects.toThrow(/away/);
    expect(await facts.read('time-zone-database')).toBe('2026a');
    house.tasks.save = async (actor, task) => {
      await save(systemActor('an edit'), aTask().pause(NOON));
      return save(actor, task);
    };
    expect(await start('2026b')).toBe(0);
    expect(await house.is.state('task-1')).toMatchObject({ status: 'paused' });
  });
});
