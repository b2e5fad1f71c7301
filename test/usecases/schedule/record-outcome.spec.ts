// The end of an agent run, as it is heard of: once or several times, before or after its launch was written down.
import { InMemoryHouse } from '../../support/in-memory-house';
import { aRun, aTask, at, NOON } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import type { ScheduleProcess } from '../../support/schedule-process';

const ENDED = at('2026-07-27T12:05:00Z');

let house: InMemoryHouse;
let process: ScheduleProcess;
beforeEach(async () => {
  house = new InMemoryHouse();
  process = house.process();
  await house.is.put(aTask({ status: 'running' }));
  await house.is.putRun(aRun());
});
const run = async () => (await house.is.runsOf('task-1'))[0];
const hear = (changes: Parameters<ScheduleProcess['launcher']['agentRun']>[1]) =>
  process.recordOutcome.run(process.launcher.agentRun('task-run-1', { startedAt: NOON, ...changes }), ENDED);

test.each([
  ['success', null, 'success', null],
  ['error', 'boom', 'failed', 'agent_failed'],
  ['timeout', null, 'failed', 'agent_timeout'],
  ['interrupted', null, 'interrupted', 'interrupted'],
])('%s is written to run and task', async (status, error, expected, reason) => {
  await hear({ status, error, finishedAt: ENDED });
  expect(await run()).toMatchObject({ status: expected, reason, startedAt: NOON, finishedAt: ENDED });
  expect(await house.is.state('task-1')).toMatchObject({
    status: 'enabled',
    runCount: 1,
    lastError: (await run())?.error,
  });
});
test('an interruption that nobody saw is presumed, and the true end corrects it, once', async () => {
  await hear({ status: 'interrupted', error: 'its process is dead', presumed: true, finishedAt: ENDED });
  expect(await run()).toMatchObject({ status: 'interrupted', reason: 'process_lost', presumed: true });
  await hear({ status: 'success', finishedAt: ENDED });
  expect(await run()).toMatchObject({ status: 'success', reason: null, presumed: false });
  await hear({ status: 'error', finishedAt: ENDED });
  expect(await run()).toMatchObject({ status: 'success' });
});
test.each(['queued', 'starting', 'running', 'resting'])('%s is no end and changes nothing', async (status) => {
  await hear({ status });
  expect(await run()).toEqual(aRun());
});
test('without an instant of its end it ended now', async () => {
  await hear({ status: 'success' });
  expect(await run()).toMatchObject({ finishedAt: ENDED });
});
test(`${title('callback-03')} (ours: a run that nobody knows here)`, async () => {
  await process.recordOutcome.run(process.launcher.agentRun('task-run-none', { status: 'success' }), ENDED);
  expect(house.books.runs.size).toBe(1);
  expect(await run()).toEqual(aRun());
});
test('wakes the poller when somebody waits for the place, and only then', async () => {
  await hear({ status: 'success' });
  expect(process.wakes.count).toBe(0);
  await house.is.put(aTask({ id: 'task-2', nextRunAt: NOON }));
  await house.is.putRun(aRun({ id: 'task-run-2' }));
  await process.recordOutcome.run(process.launcher.agentRun('task-run-2', { status: 'success' }), ENDED);
  expect(process.wakes.count).toBe(1);
});
