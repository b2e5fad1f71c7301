import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { alice, aRun, at, saying } from '../../support/fakes/agent-run-builder';
import { agentRuns } from '../../support/fakes/agent-run-parts';

let house: ReturnType<typeof agentRuns>;
beforeEach(() => {
  house = agentRuns();
});

async function left(instanceId: string, started = true) {
  const run = aRun({ instanceId });
  await house.runs.open(alice, run, true);
  if (started) await house.runs.recordStart(run.started(at(1)));
  return run;
}

test('runs of a dead process are interrupted, their threads free, and listeners hear of it', async () => {
  const [running, starting] = [await left('dead'), await left('dead', false)];
  expect(await house.settle.run(at(30))).toBe(2);
  expect(house.stored(running.id)?.summary()).toMatchObject({
    status: 'interrupted',
    error: 'The Horarium process that held this run has ended.',
    finishedAt: at(30),
  });
  expect(house.stored(starting.id)?.summary().error).toMatch('Whether the agent had begun is not known.');
  expect(house.told.map(({ id }) => id).sort()).toEqual([running.id, starting.id]);
});

test("runs of the living, and this process's own, are never touched", async () => {
  await left('alive');
  await left('here');
  expect(await house.settle.run(at(30))).toBe(0);
  await left('dead');
  expect(await house.settle.run(at(30), 'all')).toBe(2);
  expect([...house.runs.runs.values()].filter(({ ended }) => !ended).map(({ fields }) => fields.instanceId)).toEqual([
    'here',
  ]);
});

test('an interruption that nobody saw is a presumed one, which the true end corrects', async () => {
  const run = await left('dead');
  await house.settle.run(at(30));
  expect(house.told).toMatchObject([{ status: 'interrupted', presumed: true }]);
  await house.runs.recordEnd(run.started(at(1)).endedWith(saying('made it'), at(40)));
  expect(house.stored(run.id)?.summary()).toMatchObject({ status: 'success', presumed: false });
});

test('a run of this very process that is in nobody’s hands is settled after a minute', async () => {
  const [lost, held] = [await left('here'), await left('here')];
  house.inHand.add(held.id);
  expect(await house.settle.run(at(59))).toBe(0);
  expect(await house.settle.run(at(62))).toBe(1);
  expect(house.stored(lost.id)?.summary()).toMatchObject({ status: 'interrupted', presumed: true });
  expect(house.stored(held.id)?.ended).toBe(false);
});

test('a run that is at work here is not settled here, under whatever name the process goes on', async () => {
  const run = await left('our-former-name');
  house.inHand.add(run.id);
  expect(await house.settle.run(at(90))).toBe(0);
});

test('an end that the driver knows is the true one', async () => {
  const run = await left('dead');
  house.driver.found = { state: 'ended', end: saying('made it') };
  await house.settle.run(at(30), 'all');
  expect(house.stored(run.id)?.fields).toMatchObject({ status: 'success', end: { output: { text: 'made it' } } });
});

test('an agent that still works, unheard by anybody, is ended', async () => {
  const run = await left('dead');
  house.driver.found = { state: 'running' };
  await house.settle.run(at(30), 'all');
  expect(house.driver.cancelled).toEqual([
    [run.fields.requestId, 'The Horarium process that held this run has ended.'],
  ]);
  expect(house.stored(run.id)?.status).toBe('interrupted');
});

describe('a turn of several prompts', () => {
  const turn = async () => {
    const head = aRun({ instanceId: 'dead' });
    const other = aRun({ instanceId: 'dead', threadId: head.fields.threadId, turnOf: head.id });
    await house.runs.open(alice, head, true, { together: [other] });
    return [head, other] as const;
  };
  test('has one end: the true one, told once', async () => {
    const [head, other] = await turn();
    house.driver.found = { state: 'ended', end: saying('made it') };
    expect(await house.settle.run(at(30))).toBe(2);
    expect(house.stored(head.id)?.fields).toMatchObject({ status: 'success', end: { output: { text: 'made it' } } });
    expect(house.stored(other.id)?.fields).toMatchObject({ status: 'success', end: { output: { text: '' } } });
  });
  test('is corrected together when others had to presume its end', async () => {
    const [head, other] = await turn();
    const presumed = bareEnd('interrupted', 'Gone.', { presumed: true });
    for (const run of [head, other]) await house.runs.recordEnd(run.endedWith(presumed, at(5)));
    house.driver.left.add(head.fields.requestId);
    house.driver.found = { state: 'ended', end: saying('made it') };
    await house.settle.run(at(30));
    expect(house.told.map(({ id, status }) => [id, status])).toEqual([
      [head.id, 'success'],
      [other.id, 'success'],
    ]);
  });
  test('goes on together where its agent outlives the house', async () => {
    const [head, other] = await turn();
    house.driver.can = { outlivesHouse: true, conversations: false };
    house.driver.found = { state: 'running' };
    expect(await house.settle.run(at(30))).toBe(0);
    expect(house.stored(other.id)?.fields).toMatchObject({ status: 'running', instanceId: 'here' });
    house.driver.end(head.fields.requestId, saying('made it after all'));
    await house.execution.allLanded();
    await new Promise((resolve) => setImmediate(resolve));
    expect(house.told.map(({ id, status }) => [id, status])).toEqual([
      [head.id, 'success'],
      [other.id, 'success'],
    ]);
  });
});

test('one that cannot be settled is reported, and the others are settled all the same', async () => {
  await left('dead');
  await left('dead');
  house.runs.failure = new Error('away');
  expect(await house.settle.run(at(30), 'all')).toBe(1);
  expect(house.faults.reports).toEqual([expect.stringMatching(/could not be settled: away/)]);
});

describe('rests while nothing can be wrong', () => {
  let looks = 0;
  beforeEach(() => {
    looks = 0;
    const look = house.runs.heldBy.bind(house.runs);
    house.runs.heldBy = (holders) => {
      looks += 1;
      return look(holders);
    };
  });

  test('alone, and the last look found nothing: for two minutes', async () => {
    house.here.alone = true;
    for (const second of [0, 5, 119]) await house.settle.run(at(second));
    expect(looks).toBe(1);
    await house.settle.run(at(120));
    expect(looks).toBe(2);
  });

  test('another process is there, or the last look found something: it looks each time', async () => {
    for (const second of [0, 5]) await house.settle.run(at(second));
    house.here.alone = true;
    await left('dead');
    await house.settle.run(at(10));
    await house.settle.run(at(15));
    expect(looks).toBe(4);
  });
});

test('an agent that outlives the house goes on: followed here, and ended when it ends', async () => {
  const run = await left('dead');
  house.driver.can = { outlivesHouse: true, conversations: false };
  house.driver.found = { state: 'running' };
  expect(await house.settle.run(at(30))).toBe(0);
  expect(house.stored(run.id)?.fields).toMatchObject({ status: 'running', instanceId: 'here' });
  expect(house.driver.cancelled).toEqual([]);
  house.driver.end(run.fields.requestId, saying('made it after all'));
  await house.execution.allLanded();
  await Promise.resolve();
  expect(house.told.map(({ id }) => id)).toEqual([run.id]);
});

describe('what an earlier process has left on this machine, when others have settled its runs already', () => {
  const GONE = 'The Horarium process that held this run has ended.';
  async function settledByOthers() {
    const run = await left('dead');
    const end = bareEnd('interrupted', GONE, { presumed: true });
    await house.runs.recordEnd(run.started(at(1)).endedWith(end, at(5)));
    house.driver.left.add(run.fields.requestId);
    return run;
  }

  test('its true end corrects what others had to presume, and listeners hear of it', async () => {
    const run = await settledByOthers();
    house.driver.found = { state: 'ended', end: saying('made it') };
    expect(await house.settle.run(at(30))).toBe(0);
    expect(house.stored(run.id)?.summary()).toMatchObject({ status: 'success', presumed: false, finishedAt: at(30) });
    expect(house.told).toMatchObject([{ id: run.id, status: 'success' }]);
    expect(house.driver.left).toEqual(new Set());
  });

  test('an agent that still works is ended', async () => {
    const run = await settledByOthers();
    house.driver.found = { state: 'running' };
    await house.settle.run(at(30));
    expect(house.driver.cancelled).toEqual([[run.fields.requestId, GONE]]);
    expect(house.stored(run.id)?.status).toBe('interrupted');
    expect(house.driver.left).toEqual(new Set());
  });

  test('one that the books know nothing of is ended too', async () => {
    house.driver.left.add('unheard of');
    house.driver.found = { state: 'running' };
    await house.settle.run(at(30));
    expect(house.driver.cancelled).toEqual([['unheard of', GONE]]);
  });

  test('an end that was seen stays as it is', async () => {
    const run = await left('dead');
    await house.runs.recordEnd(run.started(at(1)).endedWith(saying('seen'), at(5)));
    house.driver.left.add(run.fields.requestId);
    house.driver.found = { state: 'ended', end: saying('another story') };
    await house.settle.run(at(30));
    expect(house.stored(run.id)?.fields.end?.output.text).toBe('seen');
    expect(house.driver.left).toEqual(new Set());
  });

  test('a run in the hands of somebody who lives is waited for, then nothing is left', async () => {
    const run = await left('alive');
    house.driver.left.add(run.fields.requestId);
    house.driver.found = { state: 'running' };
    await house.settle.run(at(30));
    expect(house.driver.cancelled).toEqual([]);
    await house.runs.recordEnd(run.started(at(1)).endedWith(saying('seen'), at(35)));
    house.driver.found = { state: 'unknown' };
    await house.settle.run(at(36));
    expect(house.driver.left).toEqual(new Set());
  });
});
