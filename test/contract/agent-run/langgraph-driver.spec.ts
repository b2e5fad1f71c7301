// What the langgraph driver promises beyond the contract of all drivers: on a real LangGraph server, which is killed and started
// again, and on one that answers as others do.
import { RemoteThreadBusyError } from '../../../src/agent-run/domain/errors';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { answerOf } from '../../../src/agent-run/domain/run-end';
import type { LangGraphDriver } from '../../../src/agent-run/outbound/langgraph-driver';
import { remoteThread } from '../../../src/agent-run/outbound/langgraph/remote-thread';
import type { Launch } from '../../../src/agent-run/ports/assistant-driver';
import { service } from '../../support/agents/http-stage';
import { langGraphDriver, play } from '../../support/agents/langgraph-stage';
import { LangGraphServer } from '../../support/agents/langgraph/langgraph-server';
import { outsideLaunch, outsideWorld, storing, type OutsideWorld } from '../../support/agents/outside-stage';

let world: OutsideWorld;
let server: LangGraphServer;
let plain: LangGraphDriver;
let driver: ReturnType<typeof storing>;
beforeAll(async () => {
  [world, server] = await Promise.all([outsideWorld(), LangGraphServer.start()]);
  plain = langGraphDriver(world.outside());
  driver = storing(world, plain);
});
afterAll(async () => {
  await plain.stop();
  await world.close();
  await server.close();
});

const graph = (settings: Record<string, unknown> = {}) =>
  assistantFrom('graph', { driver: 'langgraph', url: server.url, graph: 'agent', ...settings }, '/');
const launchOf = (behaviour: Parameters<typeof play>[0], more: Partial<Launch> = {}): Launch =>
  outsideLaunch(graph(), { metadata: play(behaviour), ...more });
const endOf = async (launch: Launch) => (await driver.start(launch)).ended;

test('the agent is told its task, whose it is, and that nobody answers questions', async () => {
  const task = { scheduled_task_id: 'task-1', scheduled_task_run_id: 'task-run-1', scheduled_trigger: 'scheduled' };
  const launch = launchOf({ does: 'echo' }, { metadata: { ...play({ does: 'echo' }), ...task } });
  expect(await endOf(launch)).toMatchObject({ status: 'success' });
  const { metadata, context } = await server.atWork(launch.requestId);
  expect(metadata).toMatchObject({
    ...task,
    horarium_request_id: launch.requestId,
    horarium_agent_run_id: launch.agentRunId,
    horarium_thread_id: launch.threadId,
  });
  expect(context).toEqual({ non_interactive: true, user_id: 'alice' });
});

test('an answer in blocks is their text', async () => {
  expect(answerOf(await endOf(launchOf({ does: 'blocks' })))).toBe('in blocks');
});

test("a thread on which somebody else's run is at work is busy, and nothing is left behind", async () => {
  const launch = launchOf({ does: 'echo' });
  const thread = remoteThread(launch);
  const theirs = {
    assistant_id: 'agent',
    input: { messages: [] },
    metadata: play({ does: 'wait' }),
    if_not_exists: 'create',
  };
  await post(`/threads/${thread}/runs`, theirs);
  await expect(driver.start(launch)).rejects.toThrow(RemoteThreadBusyError);
  expect(await driver.find(launch.requestId, launch)).toEqual({ state: 'unknown' });
});

test('a run that the server has lost when it was killed has failed', async () => {
  const launch = launchOf({ does: 'wait' });
  const { ended } = await driver.start(launch);
  await server.atWork(launch.requestId);
  await server.lose();
  await server.start();
  expect(await ended).toMatchObject({
    status: 'error',
    error: expect.stringContaining('knows no such run (any more)'),
  });
});

test('a run that a killed server calls running for ever ends by our word, and does not keep its thread', async () => {
  const launch = launchOf({ does: 'wait' });
  const { ended } = await driver.start(launch);
  await server.atWork(launch.requestId);
  await server.stop();
  await server.start();
  const [left] = (await (await fetch(`${server.url}/threads/${remoteThread(launch)}/runs`)).json()) as {
    status: string;
  }[];
  expect(left?.status).toBe('running');
  expect(await driver.status(launch.requestId)).toEqual({ state: 'running' });
  await driver.cancel(launch.requestId, 'Enough.', launch);
  expect(await ended).toMatchObject({ status: 'interrupted', error: 'Enough.' });
  const next = launchOf({ does: 'echo' }, { threadId: launch.threadId, prompt: 'and now?' });
  expect(answerOf(await endOf(next))).toBe('and now?');
});

test('a run whose house dies is ended by another one, there and here', async () => {
  const launch = launchOf({ does: 'wait' });
  const { ended } = await driver.start(launch);
  await server.atWork(launch.requestId);
  await plain.stop();
  const other = langGraphDriver(world.outside());
  await other.cancel(launch.requestId, 'Its process is gone.', launch);
  expect(await ended).toMatchObject({ status: 'interrupted', error: 'Its process is gone.' });
  const thread = `${server.url}/threads/${remoteThread(launch)}`;
  // The cancellation is answered when the run is over.
  const [run] = (await (await fetch(`${thread}/runs`)).json()) as { status: string }[];
  expect(run?.status).toBe('interrupted');
});

describe('on a server that answers as others do', () => {
  let answers: ((path: string) => { status: number; body?: unknown; headers?: Record<string, string> })[];
  let asked: string[];
  let stub: Awaited<ReturnType<typeof service>>;
  beforeAll(async () => {
    stub = await service(({ method, url }, _, response) => {
      asked.push(`${method} ${url?.replace(/[0-9a-f-]{36}/g, '…').split('?')[0]}`);
      const { status, body = {}, headers = {} } = answers.shift()?.(url ?? '') ?? { status: 404 };
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  afterAll(() => stub.close());
  beforeEach(() => (asked = []));

  const SENTENCE = 'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.';
  const start = async (...given: typeof answers) => {
    answers = given;
    const launch = outsideLaunch(graph({ url: new URL(stub.url).origin }));
    const one = langGraphDriver(world.outside());
    const started = await storing(world, one).start(launch);
    return { ended: started.ended.finally(() => one.stop()), launch };
  };
  const thereIs = () => ({ status: 200, body: { thread_id: 'x' } });
  const none = () => ({ status: 200, body: [] });
  const theirs = () => ({ status: 200, body: [{ run_id: 'r', status: 'running', metadata: {} }] });

  test.each([
    [409, 'Conflict'],
    [422, SENTENCE],
  ])('%i on a thread that is there is busy', async (status, body) => {
    const refused = start(() => ({ status, body }), thereIs, none, theirs);
    await expect(refused).rejects.toThrow(RemoteThreadBusyError);
    expect(asked[0]).toBe('POST /threads/…/runs');
  });

  test('the same sentence about a thread that is not there makes it, and the run', async () => {
    const run = { run_id: 'r', status: 'success', metadata: {} };
    const { ended } = await start(
      () => ({ status: 422, body: SENTENCE }),
      () => ({ status: 404 }),
      thereIs,
      () => ({ status: 200, body: run }),
      () => ({ status: 200, body: {} }),
      () => ({ status: 200, body: run }),
      () => ({ status: 200, body: { values: { answer: 42 }, next: [], tasks: [] } }),
    );
    expect(answerOf(await ended)).toBe('{"answer":42}');
    expect(asked.slice(0, 4)).toEqual([
      'POST /threads/…/runs',
      'GET /threads/…',
      'POST /threads',
      'POST /threads/…/runs',
    ]);
  });

  test('any other 422 is a refusal in its words', async () => {
    await expect(start(() => ({ status: 422, body: 'no such field' }))).rejects.toThrow(
      'it answered 422: no such field',
    );
  });

  test('429 is tried again when the server says', async () => {
    const { ended } = await start(() => ({ status: 429, headers: { 'Retry-After': '30' } }));
    const end = await ended;
    expect(end).toMatchObject({ status: 'error', reason: 'rate_limited' });
    expect(end.retryAt).toBeInstanceOf(Date);
  });

  test('a start without an answer is looked for: the run may be there', async () => {
    let requestId = '';
    const found = () => ({
      status: 200,
      body: [{ run_id: 'r', status: 'success', created_at: 'x', metadata: { horarium_request_id: requestId } }],
    });
    const state = () => ({
      status: 200,
      body: { values: { messages: [{ type: 'ai', content: 'there' }] }, next: [], tasks: [] },
    });
    answers = [() => ({ status: 502, body: 'bad gateway' }), found, state];
    const launch = outsideLaunch(graph({ url: new URL(stub.url).origin }));
    requestId = launch.requestId;
    const one = langGraphDriver(world.outside());
    const { ended } = await storing(world, one).start(launch);
    expect(answerOf(await ended)).toBe('there');
    await one.stop();
  });

  test('a start without an answer of which the server knows nothing has failed', async () => {
    const { ended } = await start(() => ({ status: 500 }), none, none, none);
    expect(await ended).toMatchObject({ status: 'error', error: expect.stringContaining('or never taken it') });
  });

  test('a key that is not set is said before anything is sent', async () => {
    const assistant = graph({ url: new URL(stub.url).origin, api_key: 'NOT_SET' });
    answers = [];
    await expect(langGraphDriver(world.outside()).start(outsideLaunch(assistant))).rejects.toThrow('NOT_SET');
    expect(asked).toEqual([]);
  });
});

async function post(path: string, body: unknown): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
}
