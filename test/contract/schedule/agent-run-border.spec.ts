// The border to agent-run, both ways: what its answers mean for a run, and which of its ends are a task's.
import { DatabaseUnavailableError } from '../../../src/platform/persistence/sql-errors';
import { StartAbortedError, StartUnsettledError, type RunEnd, type StartRunResult } from '../../../src/agent-run';
import { LaunchFailedError, UnknownAssistantError } from '../../../src/agent-run/domain/errors';
import { launchOrder } from '../../../src/schedule/domain/launch-order';
import { RunFinishedListener } from '../../../src/schedule/inbound/run-finished.listener';
import { AgentRunLauncher } from '../../../src/schedule/outbound/agent-run-launcher';
import type { LaunchedRun } from '../../../src/schedule/ports/run-launcher';
import { SteeredClock } from '../../support/fakes/steered-clock';
import { aRun, aTask, NOON, OWNER } from '../../support/schedule-builders';
import { dataOf, title } from '../../support/schedule-cases';

type Parts = ConstructorParameters<typeof AgentRunLauncher>;
const clock = new SteeredClock(NOON);
const ORDER = launchOrder(aTask({ workingFolder: '/srv/reports' }).rule, aRun());

describe('what an answer to StartRun means', () => {
  const asked: unknown[] = [];
  const launch = (answer: () => Promise<StartRunResult>) => {
    const start = { run: (...args: unknown[]) => (asked.push(args), answer()) } as unknown as Parts[0];
    return new AgentRunLauncher(start, {} as Parts[1], {} as Parts[2], clock).launch(ORDER);
  };
  const refusing = (error: Error) => () => Promise.reject(error);
  const STARTED = { outcome: 'started', agentRunId: 'agent-1', threadId: 'thread-1', startedAt: NOON } as const;

  test('started is started; what was asked is the order, refused when the thread is busy', async () => {
    expect(await launch(() => Promise.resolve(STARTED))).toEqual(STARTED);
    expect(asked.at(-1)).toEqual([
      { type: 'system', reason: 'dispatch: launch' },
      { ...ORDER, whenBusy: 'reject', workingFolder: '/srv/reports' },
      NOON,
    ]);
  });
  test(title('busy-04'), async () => {
    expect(await launch(() => Promise.resolve({ outcome: 'busy' }))).toEqual({ outcome: 'busy' });
  });
  test(title('busy-06'), () => {
    const fresh = launchOrder(aTask().rule, aRun());
    const bound = launchOrder(aTask({ contextMode: 'reuse_thread', threadId: 'thread-1' }).rule, aRun());
    expect([fresh.createThread, bound.createThread]).toEqual([true, false]);
  });
  test.each([
    ['an assistant that is gone', new UnknownAssistantError('sample', [])],
    ['a driver that refused', new LaunchFailedError('no such program')],
  ])(`${title('launch-01')} (%s)`, async (_what, error) => {
    expect(await launch(refusing(error))).toEqual({ outcome: 'failed', error: error.message });
  });
  test.each([
    ['a database that went away', new DatabaseUnavailableError(new Error('ECONNRESET'))],
    ['a start that is not settled', new StartUnsettledError('whether its agent works is not known')],
    ['anything else', new Error('socket hang up')],
  ])(`${title('launch-04')} (ours: only what certainly did not start has failed; %s)`, async (_what, error) => {
    expect(await launch(refusing(error))).toEqual({ outcome: 'unknown', error: error.message });
  });
  test('a process that stops has decided nothing', async () => {
    expect(await launch(refusing(new StartAbortedError()))).toEqual({ outcome: 'aborted' });
  });
});

describe('finding and cancelling go by the run’s id', () => {
  const summary = { id: 'agent-1', requestId: 'task-run-1', threadId: 'thread-1', status: 'running' as const };
  const times = { error: null, startedAt: NOON, finishedAt: null };
  const cancelled: unknown[] = [];
  const find = { byRequestIds: () => Promise.resolve([{ ...summary, ...times }]) } as unknown as Parts[1];
  const none = { byRequestIds: () => Promise.resolve([]) } as unknown as Parts[1];
  const cancel = { run: (_actor: unknown, id: string) => Promise.resolve(cancelled.push(id)) } as unknown as Parts[2];

  test('find', async () => {
    const launcher = new AgentRunLauncher({} as Parts[0], find, cancel, clock);
    const { id: agentRunId, requestId: runId, ...rest } = summary;
    expect(await launcher.find(['task-run-1'])).toEqual([{ agentRunId, runId, ...rest, ...times }]);
  });
  test('cancel: does nothing where there is none', async () => {
    await new AgentRunLauncher({} as Parts[0], find, cancel, clock).cancel('task-run-1', NOON);
    await new AgentRunLauncher({} as Parts[0], none, cancel, clock).cancel('task-run-2', NOON);
    expect(cancelled).toEqual(['agent-1']);
  });
});

describe('which ends are a task’s', () => {
  type ListenerParts = ConstructorParameters<typeof RunFinishedListener>;
  const heard: LaunchedRun[] = [];
  const idle = jest.fn();
  const outcomes = {
    run: (end: LaunchedRun) => Promise.resolve(void heard.push(end)),
    threadIdle: idle,
  } as unknown as ListenerParts[1];
  const listener = new RunFinishedListener(
    { subscribe: () => undefined } as unknown as ListenerParts[0],
    outcomes,
    clock,
  );
  const end = (changes: object): RunEnd => ({
    ...{
      id: 'agent-1',
      requestId: 'task-run-1',
      threadId: 'thread-1',
      status: 'success',
      error: null,
      presumed: false,
      owner: OWNER,
    },
    ...{ startedAt: NOON, finishedAt: NOON, metadata: ORDER.metadata, ...changes },
  });
  beforeEach(() => heard.splice(0));

  test('one that carries task and run, under the run’s own request id', async () => {
    await listener.runEnded(end({}));
    expect(heard).toMatchObject([{ runId: 'task-run-1', agentRunId: 'agent-1', status: 'success', startedAt: NOON }]);
  });
  test(title('callback-02'), async () => {
    const { metadata } = dataOf<{ metadata: (object | null)[] }>('callback-02');
    for (const [nr, given] of metadata.entries()) await listener.runEnded(end({ metadata: given ?? { nr } }));
    expect(heard).toEqual([]);
  });
  test('one that somebody else asked for with a task’s words is not: the request id is the run’s', async () => {
    await listener.runEnded(end({ requestId: 'mine' }));
    expect(heard).toEqual([]);
  });
});
