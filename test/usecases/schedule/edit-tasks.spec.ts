// What people do to tasks, step by step: in which order things are asked, and that a refusal leaves nothing behind.
import type { ScheduledTask } from '../../../src/schedule/domain/task';
import type { CreateTaskInput } from '../../../src/schedule/usecases/create-task';
import { ReadTasks } from '../../../src/schedule/usecases/read-tasks';
import { ALICE, BOB, InMemoryHouse } from '../../support/in-memory-house';
import { aTask, at, cron, NOON, once, OWNER, submission } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import type { ScheduleProcess } from '../../support/schedule-process';

const BOUND = { contextMode: 'reuse_thread', threadId: 'mine' } as const;
const ABSENT = { kind: 'not-found', code: 'schedule.task-not-found' };
const NO_THREAD = { kind: 'not-found', code: 'schedule.thread-not-found', field: 'thread_id' };

let house: InMemoryHouse;
let process: ScheduleProcess;
beforeEach(() => {
  house = new InMemoryHouse();
  process = house.process();
  process.threads.add('mine', OWNER);
  process.threads.add('bobs', { ...OWNER, userId: 'bob' });
});

const create = (changes: Partial<CreateTaskInput> = {}) => process.createTask.run(ALICE, submission(changes), NOON);
const refusal = (act: Promise<unknown>): Promise<{ message: string }> =>
  act.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as { message: string },
  );
const nothingWritten = (): void => {
  expect(house.books.tasks.size).toBe(0);
  expect(process.wakes.count).toBe(0);
};

describe('creating a task', () => {
  test('stores it', async () => {
    const task = await create();
    expect(task.id).toMatch(/^task-[0-9a-f]{32}$/);
    expect(task).toMatchObject({ owner: OWNER, status: 'enabled', nextRunAt: at('2026-07-28T09:00:00Z') });
    expect(await house.tasks.find(ALICE, task.id)).toEqual(task);
  });
  test('wakes the poller when it is due before every poller has looked by itself', async () => {
    await create({ scheduleSpec: { cron: '2 13 * * *' } });
    expect(process.wakes.count).toBe(0);
    await create({ scheduleSpec: { cron: '1 13 * * *' } });
    expect(process.wakes.count).toBe(1);
  });
  test('without an assistant it is the default one', async () => {
    expect(await create({ assistantId: null })).toMatchObject({ assistantId: 'default' });
  });
  test('an own thread is taken', async () => {
    expect(await create(BOUND)).toMatchObject(BOUND);
  });
  test(title('create-05'), async () => {
    await expect(create({ ...BOUND, threadId: 'gone' })).rejects.toMatchObject(NO_THREAD);
    nothingWritten();
  });
  test(`${title('crons-api-02')} (ours: a task that names it)`, async () => {
    await expect(create({ ...BOUND, threadId: 'gone' })).rejects.toMatchObject(NO_THREAD);
  });
  test(`${title('crons-api-09')} (ours: it is paused)`, async () => {
    const { id } = await create();
    await process.pauseTask.run(ALICE, id, NOON);
    const due = at('2026-07-28T09:00:00Z');
    await process.poll(due);
    expect(process.launcher.orders).toEqual([]);
    expect(await house.tasks.find(ALICE, id)).toMatchObject({ status: 'paused' });
    expect(await process.resumeTask.run(ALICE, id, due)).toMatchObject({ nextRunAt: at('2026-07-29T09:00:00Z') });
    await process.poll(at('2026-07-29T09:00:00Z'));
    expect(process.launcher.orders).toHaveLength(1);
  });
  test(title('create-06'), async () => {
    const missing = await refusal(create({ ...BOUND, threadId: 'gone' }));
    const foreign = await refusal(create({ ...BOUND, threadId: 'bobs' }));
    expect(foreign.message.replace('bobs', 'gone')).toBe(missing.message);
    nothingWritten();
  });
  test('an unknown assistant is refused with those there are', async () => {
    await expect(create({ assistantId: 'nobody' })).rejects.toMatchObject({
      ...{ code: 'schedule.unknown-assistant', message: expect.stringContaining('default, sample') },
    });
    nothingWritten();
  });
  test('a folder is refused with the reason', async () => {
    process.assistants.refuse('/etc', 'That folder is not for agents.');
    await expect(create({ workingFolder: '/etc' })).rejects.toMatchObject({
      ...{ field: 'working_folder', message: 'That folder is not for agents.' },
    });
    nothingWritten();
  });
  test('the rules come first: nobody is asked for a thread of a task that is wrong anyway', async () => {
    await expect(create({ ...BOUND, scheduleSpec: { cron: 'nonsense' } })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(create({ ...BOUND, assistantId: 'nobody' })).rejects.toMatchObject({ kind: 'invalid' });
    expect(process.threads.asked).toEqual([]);
    nothingWritten();
  });
});

describe('changing a task', () => {
  const patch = (changes: Parameters<ScheduleProcess['updateTask']['run']>[2], actor = ALICE) =>
    process.updateTask.run(actor, 'task-1', changes, NOON);

  test('stores what is new, and wakes the poller', async () => {
    await house.is.put(aTask());
    expect(await patch({ scheduleSpec: { cron: '0 18 * * *' } })).toMatchObject({
      nextRunAt: at('2026-07-27T18:00:00Z'),
    });
    expect(await house.is.state('task-1')).toMatchObject({ nextRunAt: at('2026-07-27T18:00:00Z'), version: 2 });
    expect(process.wakes.count).toBe(1);
  });
  test(`${title('crons-api-03')} (ours: null, too, leaves a field; a task has no end)`, async () => {
    await house.is.put(aTask({ misfireGraceSeconds: 60 }));
    await patch({ misfireGraceSeconds: null });
    expect(await house.is.state('task-1')).toMatchObject({ version: 1 });
    expect(await house.tasks.find(ALICE, 'task-1')).toMatchObject({ misfireGraceSeconds: 60 });
  });
  test('that changes nothing writes nothing', async () => {
    await house.is.put(aTask());
    await patch({ title: 'Morning report' });
    expect(await house.is.state('task-1')).toMatchObject({ version: 1 });
  });
  test('looks up only what it does not point at already: an old task stays editable', async () => {
    await house.is.put(aTask({ contextMode: 'reuse_thread', threadId: 'gone', assistantId: 'gone-too' }));
    await patch({ title: 'New' });
    expect(process.threads.asked).toEqual([]);
  });
  test(title('patch-11'), async () => {
    await house.is.put(aTask());
    for (const threadId of ['gone', 'bobs']) {
      await expect(patch({ contextMode: 'reuse_thread', threadId })).rejects.toMatchObject(NO_THREAD);
    }
    expect(await house.tasks.find(ALICE, 'task-1')).toEqual(aTask());
  });
  test(title('patch-20'), async () => {
    const missing = await refusal(patch({ title: 'New' }));
    expect(missing).toMatchObject(ABSENT);
    await house.is.put(aTask());
    expect((await refusal(patch({ title: 'New' }, BOB))).message).toBe(missing.message);
    expect(await house.tasks.find(ALICE, 'task-1')).toEqual(aTask());
  });
  test(title('patch-22'), async () => {
    await house.is.put(aTask());
    const read = house.tasks.findForEdit.bind(house.tasks);
    let reads = 0;
    house.tasks.findForEdit = async (...args) => {
      const found = await read(...args);
      reads += 1;
      await house.tasks.save(ALICE, (await read(...args))?.task as ScheduledTask);
      return found;
    };
    await expect(patch({ title: 'New' })).rejects.toMatchObject({ kind: 'conflict', code: 'schedule.task-changed' });
    expect(reads).toBe(3);
    expect((await read(ALICE, 'task-1'))?.task.title).toBe('Morning report');
  });
  test('once overtaken, it is decided again on what is stored by then', async () => {
    await house.is.put(aTask());
    const read = house.tasks.findForEdit.bind(house.tasks);
    house.tasks.findForEdit = async (...args) => {
      house.tasks.findForEdit = read;
      const found = await read(...args);
      await house.tasks.save(ALICE, (await read(...args))?.task.pause(NOON) as ScheduledTask);
      return found;
    };
    expect(await patch({ title: 'New' })).toMatchObject({ title: 'New', status: 'paused' });
  });
  test(title('patch-23'), async () => {
    await house.is.put(aTask());
    const read = house.tasks.findForEdit.bind(house.tasks);
    house.tasks.findForEdit = async (...args) => {
      const found = await read(...args);
      await house.tasks.discard(ALICE, 'task-1', NOON);
      return found;
    };
    await expect(patch({ title: 'New' })).rejects.toMatchObject(ABSENT);
  });
  test('a row that makes no task is mended by a whole schedule, and told so otherwise', async () => {
    await house.is.put(aTask({ status: 'failed', nextRunAt: null, runCount: 3 }));
    await house.is.spoil('task-1');
    await expect(patch({ title: 'New' })).rejects.toMatchObject({ kind: 'corrupt' });
    const mended = await patch({ scheduleSpec: { cron: '0 18 * * *' }, timezone: 'UTC' });
    expect(mended).toMatchObject({ status: 'enabled', nextRunAt: at('2026-07-27T18:00:00Z'), runCount: 3 });
    expect(await house.tasks.find(ALICE, 'task-1')).toMatchObject({ status: 'enabled' });
  });
});

describe('pausing and resuming', () => {
  test('pause stores the status; resume stores the next instant from now, and wakes the poller', async () => {
    await house.is.put(aTask({ nextRunAt: at('2026-07-27T09:00:00Z') }));
    await process.pauseTask.run(ALICE, 'task-1', NOON);
    expect(await house.is.state('task-1')).toMatchObject({ status: 'paused', missedOccurrences: 1 });
    expect(process.wakes.count).toBe(0);
    house.clock.advance(3 * 86_400);
    await process.resumeTask.run(ALICE, 'task-1', house.clock.now());
    expect(await house.is.state('task-1')).toMatchObject({
      ...{ status: 'enabled', nextRunAt: at('2026-07-31T09:00:00Z'), missedOccurrences: 1 },
    });
    expect(process.wakes.count).toBe(1);
  });
  test('a refused resume writes nothing and wakes nobody', async () => {
    await house.is.put(aTask({ spec: once('2026-07-27T09:00:00Z'), status: 'completed', nextRunAt: null }));
    await expect(process.resumeTask.run(ALICE, 'task-1', NOON)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await house.is.state('task-1')).toMatchObject({ version: 1 });
    expect(process.wakes.count).toBe(0);
  });
});

describe('deleting a task', () => {
  const remove = (actor = ALICE) => process.deleteTask.run(actor, 'task-1', NOON);

  test('takes it away at once, also one that cannot be read', async () => {
    await house.is.put(aTask());
    await remove();
    expect(await house.tasks.find(ALICE, 'task-1')).toBeNull();
    await house.is.put(aTask());
    await house.is.spoil('task-1');
    await remove();
    expect(await house.tasks.findStored(ALICE, 'task-1')).toBeNull();
  });
  test(title('delete-03'), async () => {
    await expect(remove()).rejects.toMatchObject(ABSENT);
    await house.is.put(aTask());
    await expect(remove(BOB)).rejects.toMatchObject(ABSENT);
    await remove();
    await expect(remove()).rejects.toMatchObject(ABSENT);
  });
});

describe('duplicating a task', () => {
  test('stores a copy under an id of its own and wakes the poller; the model stays', async () => {
    await house.is.put(aTask({ spec: cron('30 * * * *'), runCount: 7, lastError: 'boom' }));
    const copy = await process.duplicateTask.run(ALICE, 'task-1', { prompt: 'Another.' }, NOON);
    expect(copy).toMatchObject({ title: 'Morning report (copy)', prompt: 'Another.', runCount: 0, lastError: null });
    expect(copy.id).not.toBe('task-1');
    expect(await house.tasks.find(ALICE, copy.id)).toEqual(copy);
    expect(await house.is.state('task-1')).toMatchObject({ runCount: 7, version: 1 });
    expect(process.wakes.count).toBe(1);
  });
  test('another’s task does not exist, and a copy points at what exists', async () => {
    await house.is.put(aTask({ contextMode: 'reuse_thread', threadId: 'gone' }));
    await expect(process.duplicateTask.run(BOB, 'task-1', {}, NOON)).rejects.toMatchObject(ABSENT);
    await expect(process.duplicateTask.run(ALICE, 'task-1', {}, NOON)).rejects.toMatchObject(NO_THREAD);
    expect(house.books.tasks.size).toBe(1);
  });
});

describe('what belongs to somebody else does not exist', () => {
  test.each([
    ['isolation-01', () => new ReadTasks(house.tasks, process.threads).one(BOB, 'task-1')],
    ['isolation-03', () => process.pauseTask.run(BOB, 'task-1', NOON)],
    ['isolation-04', () => process.resumeTask.run(BOB, 'task-1', NOON)],
    ['isolation-06', () => process.deleteTask.run(BOB, 'task-1', NOON)],
  ] as const)('%s: it reads like a task that never was', async (_id, act) => {
    const missing = await refusal(act());
    await house.is.put(aTask());
    expect(await refusal(act())).toEqual(missing);
    expect(await house.is.state('task-1')).toMatchObject({ version: 1 });
  });
  test(title('isolation-09'), async () => {
    await house.is.put(aTask(BOUND));
    const reading = new ReadTasks(house.tasks, process.threads);
    const page = { limit: 10, offset: 0 };
    await expect(reading.ofThread(BOB, 'mine', page)).rejects.toMatchObject(NO_THREAD);
    expect(await reading.ofThread(ALICE, 'mine', page)).toHaveLength(1);
  });
});
