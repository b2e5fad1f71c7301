import { systemActor, type Actor } from '../../../src/kernel/actor';
import { AgentRun } from '../../../src/agent-run/domain/agent-run';
import { LaunchFailedError, StartAbortedError, StartUnsettledError } from '../../../src/agent-run/domain/errors';
import { alice, at, bob } from '../../support/fakes/agent-run-builder';
import { agentRuns, startInput } from '../../support/fakes/agent-run-parts';

let house: ReturnType<typeof agentRuns>;
beforeEach(() => {
  house = agentRuns();
});
const start = (more = {}) => house.start.run(alice, startInput(more), at(5));

test('a run that starts: its row, its driver, its moments', async () => {
  expect(await start()).toEqual({ outcome: 'started', agentRunId: 'id-1', threadId: 'thread', startedAt: at(10) });
  expect(house.driver.launches).toEqual([
    {
      assistant: house.known.get('default'),
      agentRunId: 'id-1',
      requestId: 'request',
      threadId: 'thread',
      prompt: 'hello',
      metadata: { scheduled_task_id: 'task-1' },
      workingFolder: null,
      owner: { tenantId: 1, userId: 'alice' },
      agentSession: null,
      said: expect.any(Function),
      heard: expect.any(Function),
    },
  ]);
  expect(house.stored('id-1')?.fields).toMatchObject({
    status: 'running',
    createdAt: at(5),
    startedAt: at(10),
    instanceId: 'here',
  });
});

test('the row is there before the driver is asked', async () => {
  let seen: string | undefined;
  house.driver.gate = Promise.resolve().then(() => void (seen = house.stored('id-1')?.status));
  await start();
  expect(seen).toBe('starting');
});

test('the end is stored, then told, with what the caller wanted to find again', async () => {
  await start();
  house.clock.second = 20;
  house.driver.end('request', { status: 'error', error: 'it broke', output: { text: 'half', droppedBytes: 0 } });
  await house.execution.allLanded();
  expect(house.told).toEqual([
    {
      id: 'id-1',
      requestId: 'request',
      threadId: 'thread',
      status: 'error',
      presumed: false,
      error: 'it broke',
      startedAt: at(10),
      finishedAt: at(20),
      metadata: { scheduled_task_id: 'task-1' },
      owner: { tenantId: 1, userId: 'alice' },
    },
  ]);
  expect(house.runs.threads.said.map(({ content }) => content)).toEqual(['hello', 'half']);
});

test('asked for twice at once, it is started once', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  expect(second).toBe(first);
  expect(house.driver.launches).toHaveLength(1);
});

test('asked for again later, the answer is the run that is known', async () => {
  await start();
  house.driver.end('request');
  await house.execution.allLanded();
  expect(await start()).toMatchObject({ outcome: 'started', agentRunId: 'id-1', startedAt: at(10) });
  expect(house.driver.launches).toHaveLength(1);
  await expect(start({ threadId: 'another' })).rejects.toMatchObject({ code: 'agent-run.request-id-taken' });
});

test('a thread on which a run is active is busy', async () => {
  await start();
  expect(await start({ requestId: 'second' })).toEqual({ outcome: 'busy' });
});

describe('certainly nothing runs', () => {
  test('the driver refuses: the run is over, the caller hears of it, and no listener does', async () => {
    house.driver.refusal = new LaunchFailedError('no such program');
    await expect(start()).rejects.toThrow('no such program');
    expect(house.stored('id-1')?.summary()).toMatchObject({
      status: 'error',
      error: 'no such program',
      startedAt: null,
    });
    expect(house.told).toEqual([]);
    await expect(start()).rejects.toThrow(new LaunchFailedError('no such program'));
    expect(house.driver.launches).toHaveLength(1);
  });

  test.each([
    [
      { assistantId: 'unknown' },
      { kind: 'invalid', field: 'assistant_id', message: expect.stringContaining('default, other') },
    ],
    [{ prompt: 'a\0b' }, { kind: 'invalid', field: 'prompt' }],
    [{ prompt: '' }, { kind: 'invalid', field: 'prompt' }],
    [{ threadId: '../x' }, { kind: 'invalid', field: 'thread_id' }],
    [{ metadata: { key: '\ud800' } }, { kind: 'invalid', field: 'metadata' }],
    [{ workingFolder: '/a\0' }, { kind: 'invalid', field: 'working_folder' }],
    [{ createThread: false }, { kind: 'not-found', code: 'agent-run.thread-not-found' }],
    [{ owner: { tenantId: 1, userId: 'bob' } }, { kind: 'not-found', code: 'agent-run.thread-not-found' }],
  ])('%j: nothing is written', async (more, refusal) => {
    await expect(start(more)).rejects.toMatchObject(refusal);
    expect(house.runs.runs.size).toBe(0);
  });

  test('an assistant that the operator removes while a run waits for it', async () => {
    house.driver.gate = Promise.resolve();
    const open = house.runs.open.bind(house.runs);
    house.runs.open = (...all) => (house.known.delete('default'), open(...all));
    await expect(start()).rejects.toThrow('no longer among');
    expect(house.stored('id-1')?.status).toBe('error');
  });
});

describe('nobody knows', () => {
  test('a fault that says nothing about the agent leaves the run starting, and the thread taken', async () => {
    house.driver.refusal = new Error('socket hang up');
    await expect(start()).rejects.toThrow('socket hang up');
    expect(house.stored('id-1')?.status).toBe('starting');
    await expect(start()).rejects.toThrow(StartUnsettledError);
    expect(await start({ requestId: 'second' })).toEqual({ outcome: 'busy' });
  });
});

test('a start that cannot be written down is no failure of the run, and its end is stored all the same', async () => {
  house.runs.recordStart = () => Promise.reject(new Error('database away'));
  expect(await start()).toMatchObject({ outcome: 'started' });
  house.driver.end('request');
  await house.execution.allLanded();
  expect(house.stored('id-1')?.fields).toMatchObject({ status: 'success', startedAt: at(10) });
  expect(house.faults.reports).toEqual(['the start of agent run id-1 could not be stored: database away']);
});

test('a listener that fails is reported, and the others hear of the end', async () => {
  house.listeners.subscribe({
    runEnded: () => {
      throw new Error('deaf');
    },
  });
  house.listeners.subscribe({ runEnded: () => Promise.reject(new Error('mute')) });
  const heard: string[] = [];
  house.listeners.subscribe({ runEnded: ({ id }) => Promise.resolve(void heard.push(id)) });
  await start();
  house.driver.end('request');
  await house.execution.allLanded();
  expect(heard).toEqual(['id-1']);
  expect(house.faults.reports.map((report) => report.split(': ').at(-1))).toEqual(['deaf', 'mute']);
});

describe('cancelling', () => {
  const cancel = (actor: Actor = alice) => house.cancel.run(actor, 'id-1', at(15));

  test('a run at work is asked to end; the wish shows until it has', async () => {
    await start();
    const cancelling = await cancel();
    expect(cancelling.fields).toMatchObject({ status: 'running', cancelRequestedAt: at(15) });
    await house.execution.allLanded();
    expect(house.stored('id-1')?.summary()).toMatchObject({ status: 'interrupted', error: 'Cancelled by alice.' });
    expect(house.told).toHaveLength(1);
    await expect(cancel()).rejects.toMatchObject({ kind: 'conflict', code: 'agent-run.run-ended' });
  });

  test('a run that waits for its assistant never starts, and its caller does not take that for a failed launch', async () => {
    house.queue.held = true;
    const starting = start();
    starting.catch(() => undefined);
    await new Promise(setImmediate);
    expect((await cancel()).status).toBe('interrupted');
    await expect(starting).rejects.toThrow(StartUnsettledError);
    expect(house.driver.launches).toEqual([]);
    expect(house.told).toMatchObject([{ status: 'interrupted', startedAt: null }]);
  });

  test('a run whose driver is just starting is ended as soon as it works', async () => {
    let open = (): void => undefined;
    house.driver.gate = new Promise((resolve) => (open = resolve));
    const starting = start();
    await new Promise(setImmediate);
    expect((await cancel()).status).toBe('starting');
    expect(house.driver.cancelled).toEqual([]);
    open();
    await starting;
    await house.execution.allLanded();
    expect(house.stored('id-1')?.status).toBe('interrupted');
  });

  test('a run of which nobody knows whether it works is ended as far as possible', async () => {
    house.driver.refusal = new Error('socket hang up');
    await start().catch(() => undefined);
    expect((await cancel(systemActor('deadline of an unknown launch'))).status).toBe('interrupted');
    expect(house.driver.cancelled).toEqual([['request', 'Cancelled by Horarium: deadline of an unknown launch.']]);
    expect(await start({ requestId: 'second', createThread: false }).catch((error: Error) => error.message)).toBe(
      'socket hang up',
    );
  });

  test("somebody else's run does not exist", async () => {
    await start();
    await expect(cancel(bob)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(house.cancel.run(alice, 'unknown', at(15))).rejects.toMatchObject({ kind: 'not-found' });
    expect(house.driver.cancelled).toEqual([]);
  });

  test('a run of another process is only marked', async () => {
    await start();
    const theirs = { id: 'elsewhere', requestId: 'r2', instanceId: 'there' };
    house.runs.runs.set('elsewhere', AgentRun.restore({ ...house.stored('id-1')!.fields, ...theirs }));
    expect((await house.cancel.run(alice, 'elsewhere', at(15))).fields).toMatchObject({
      status: 'running',
      cancelRequestedAt: at(15),
    });
    expect(house.driver.cancelled).toEqual([]);
  });
});

describe('stopping', () => {
  const never = new Promise<void>(() => undefined);

  test('who is at work may finish; nobody new starts', async () => {
    await start();
    const stopped = house.stop.run(never);
    await expect(start({ requestId: 'late', threadId: 'late' })).rejects.toThrow(StartAbortedError);
    expect(house.runs.runs.size).toBe(1);
    house.driver.end('request');
    await stopped;
    expect(house.stored('id-1')?.status).toBe('success');
  });

  test('who is late is ended', async () => {
    await start();
    await house.stop.run(Promise.resolve());
    expect(house.stored('id-1')?.summary()).toMatchObject({ status: 'interrupted', error: 'Horarium was shut down.' });
  });

  test('who waits has never been: the same request may come again', async () => {
    house.queue.held = true;
    const starting = start();
    starting.catch(() => undefined);
    await new Promise(setImmediate);
    await house.stop.run(never);
    await expect(starting).rejects.toThrow(StartAbortedError);
    expect(house.runs.runs.size).toBe(0);
  });
});

test('a process that is cut off launches nothing: the request may come again, to whoever takes over', async () => {
  house.here.cutOff = true;
  await expect(house.start.run(alice, startInput(), at(1))).rejects.toThrow(StartAbortedError);
  expect([house.driver.launches, house.runs.runs.size]).toEqual([[], 0]);
  house.here.cutOff = false;
  await expect(house.start.run(alice, startInput(), at(2))).resolves.toMatchObject({ outcome: 'started' });
});
