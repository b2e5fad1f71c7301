// Who waits gets its turn: in order for each conversation, one turn for all that wait for it, and never for ever.
import { ALICE, InMemoryHouse } from '../../support/in-memory-house';
import { aRun, aTask, at, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import type { ScheduleProcess } from '../../support/schedule-process';

const BOUND = { contextMode: 'reuse_thread', threadId: 'talk', overlapPolicy: 'queue' } as const;
let house: InMemoryHouse;
let process: ScheduleProcess;
beforeEach(() => {
  house = new InMemoryHouse();
  process = house.process();
});

/** A task whose run waits since `minute` past eleven. */
async function waits(nr: number, minute: number, changes: Parameters<typeof aTask>[0] = {}): Promise<string> {
  const task = aTask({ id: `task-${nr}`, ...BOUND, prompt: `prompt ${nr}`, ...changes });
  await house.is.put(task);
  const createdAt = at(`2026-07-27T11:${String(minute).padStart(2, '0')}:00Z`);
  const threadId = task.threadId ?? `fresh-${nr}`;
  await house.is.putRun(aRun({ id: `task-run-${nr}`, taskId: task.id, threadId, status: 'waiting', createdAt }));
  return `task-run-${nr}`;
}
const statusOf = async (nr: number) => (await house.is.runsOf(`task-${nr}`))[0]?.status;

test(title('overlap-11'), async () => {
  await waits(1, 10);
  await waits(2, 20, { threadId: 'other' });
  process.launcher.busy.add('talk');
  await process.deliver();
  expect([await statusOf(1), await statusOf(2)]).toEqual(['waiting', 'running']);
  process.launcher.busy.clear();
  await process.deliver();
  expect(await statusOf(1)).toBe('running');
});

test(`${title('s14-24')}: and a backlog comes in one turn, in order`, async () => {
  await waits(1, 20);
  await waits(2, 10);
  await waits(3, 30);
  await process.deliver();
  expect(process.launcher.turns).toEqual([['task-run-2', 'task-run-1', 'task-run-3']]);
  expect(process.launcher.orders.map(({ prompt }) => prompt)).toEqual([
    ...['[Scheduled] prompt 2', '[Scheduled] prompt 1', '[Scheduled] prompt 3'],
  ]);
  expect([await statusOf(1), await statusOf(2), await statusOf(3)]).toEqual(['running', 'running', 'running']);
});

test('looked after again soon while somebody waits, else only when announced', async () => {
  expect(await process.deliver()).toBeNull();
  await waits(1, 10);
  expect(await process.deliver()).toEqual(at('2026-07-27T12:00:05Z'));
});

test('another assistant ends a turn: order comes first', async () => {
  await waits(1, 10);
  await waits(2, 20, { assistantId: 'other' });
  await waits(3, 30);
  await process.deliver();
  expect([await statusOf(1), await statusOf(2), await statusOf(3)]).toEqual(['running', 'waiting', 'waiting']);
});

test('as many as places are free', async () => {
  process = house.process({ policy: { maxConcurrentRuns: 1 } });
  await waits(1, 10);
  await waits(2, 20);
  await process.deliver();
  expect([await statusOf(1), await statusOf(2)]).toEqual(['running', 'waiting']);
});

test('a conversation that is busy after all: back into the queue', async () => {
  await waits(1, 10);
  process.launcher.script({ outcome: 'busy' });
  await process.deliver();
  expect(await house.is.runsOf('task-1')).toMatchObject([{ status: 'waiting', finishedAt: null }]);
  expect(process.wakes.waitingCount).toBe(1);
});

test.each([
  ['the house’s limit', {}, 3_600],
  ['its task’s own', { queueTimeoutSeconds: 60 }, 60],
])('given up after %s, with the reason', async (_what, changes, seconds) => {
  await waits(1, 0, changes);
  process.launcher.busy.add('talk');
  const since = at('2026-07-27T11:00:00Z').getTime();
  await process.deliver(new Date(since + seconds * 1_000));
  expect(await statusOf(1)).toBe('waiting');
  await process.deliver(new Date(since + seconds * 1_000 + 1));
  expect(await house.is.runsOf('task-1')).toMatchObject([
    {
      status: 'failed',
      reason: 'queue_timeout',
      error: `Not started: it waited for its turn longer than the ${seconds} s allowed.`,
    },
  ]);
});

test('a trigger meets a busy conversation: the run waits, and further triggers are answered with it', async () => {
  await house.is.put(aTask({ ...BOUND }));
  process.launcher.script({ outcome: 'busy' });
  const run = await process.triggerTask.run(ALICE, 'task-1', NOON);
  expect(run).toMatchObject({ status: 'waiting', trigger: 'manual' });
  expect((await process.triggerTask.run(ALICE, 'task-1', NOON)).id).toBe(run.id);
});

test('the whole way of a once task that has to wait', async () => {
  await house.is.put(aTask({ ...BOUND, spec: once('2026-07-27T12:00:00Z') }));
  process.launcher.script({ outcome: 'busy' });
  await process.poll();
  expect(await house.is.state('task-1')).toMatchObject({ status: 'running', nextRunAt: null });
  await process.deliver();
  const [run] = await house.is.runsOf('task-1');
  const ended = process.launcher.agentRun(run?.id ?? '', { status: 'success', finishedAt: NOON });
  await process.recordOutcome.run(ended, NOON);
  expect(await house.is.state('task-1')).toMatchObject({ status: 'completed', runCount: 1 });
});
