// Test support. What the use cases of agent-run ask of the world, steered by a test.
import type { Clock } from '../../../src/kernel/clock';
import type { Ids } from '../../../src/kernel/ids';
import type { AgentRun } from '../../../src/agent-run/domain/agent-run';
import type { Assistant } from '../../../src/agent-run/domain/assistant';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { bareEnd, type RunEnd } from '../../../src/agent-run/domain/run-end';
import type { AssistantDirectory } from '../../../src/agent-run/ports/assistant-directory';
import type {
  AssistantDriver,
  AssistantDrivers,
  DriverCapabilities,
  DriverStatus,
  Finding,
  Launch,
  Started,
} from '../../../src/agent-run/ports/assistant-driver';
import type { LiveOutput } from '../../../src/agent-run/ports/live-output';
import type { FaultLog } from '../../../src/agent-run/ports/fault-log';
import type { NeverStarted, RunJob, RunQueue, RunWorker } from '../../../src/agent-run/ports/run-queue';
import { CancelRun } from '../../../src/agent-run/usecases/cancel-run';
import { HeedCancelRequests } from '../../../src/agent-run/usecases/heed-cancel-requests';
import { ExecuteRun } from '../../../src/agent-run/usecases/execute-run';
import { Launches } from '../../../src/agent-run/usecases/launches';
import { PromoteQueued } from '../../../src/agent-run/usecases/promote-queued';
import { RunEndListeners, type RunEnd as ToldEnd } from '../../../src/agent-run/usecases/run-end-listeners';
import { SettleAbandonedRuns } from '../../../src/agent-run/usecases/settle-abandoned-runs';
import { StartRun, type StartRunInput } from '../../../src/agent-run/usecases/start-run';
import { TryAgain } from '../../../src/agent-run/usecases/try-again';
import { StopRuns } from '../../../src/agent-run/usecases/stop-runs';
import { at } from './agent-run-builder';
import { InMemoryAgentRuns } from './in-memory-agent-runs';

/** Starts at once; ends when the test says so. */
export class ScriptedDriver implements AssistantDriver {
  readonly launches: Launch[] = [];
  readonly cancelled: [string, string][] = [];
  readonly endings = new Map<string, (end: RunEnd) => void>();
  refusal: Error | undefined;
  /** A start waits for this. */
  gate: Promise<void> = Promise.resolve();
  found: DriverStatus = { state: 'unknown' };
  /** Requests of which a dead process has left traces. */
  readonly left = new Set<string>();
  can: DriverCapabilities = { outlivesHouse: false, conversations: false };

  capabilities(): DriverCapabilities {
    return this.can;
  }

  async start(launch: Launch): Promise<Started> {
    this.launches.push(launch);
    await this.gate;
    if (this.refusal !== undefined) throw this.refusal;
    return { ended: new Promise((resolve) => this.endings.set(launch.requestId, resolve)) };
  }

  find(): Promise<DriverStatus> {
    return Promise.resolve(this.found);
  }

  status(): Promise<DriverStatus> {
    return this.find();
  }

  adopt({ requestId }: Launch): Promise<Started | null> {
    if (!this.can.outlivesHouse) return Promise.resolve(null);
    return Promise.resolve({ ended: new Promise((resolve) => this.endings.set(requestId, resolve)) });
  }

  cancel(requestId: string, reason: string): Promise<void> {
    this.cancelled.push([requestId, reason]);
    this.end(requestId, { status: 'interrupted', error: reason });
    return Promise.resolve();
  }

  leftBehind(): Promise<readonly string[]> {
    return Promise.resolve([...this.left]);
  }

  forget(requestId: string): Promise<void> {
    return Promise.resolve(void this.left.delete(requestId));
  }

  inspect(): Promise<Finding[]> {
    return Promise.resolve([{ fine: true, what: 'there' }]);
  }

  end(requestId: string, end: Partial<RunEnd> = {}): void {
    this.endings.get(requestId)?.(bareEnd('success', null, { exitCode: 0, ...end }));
  }
}

/** Executes at once, unless `held`. */
export class SteeredQueue implements RunQueue {
  held = false;
  private worker: RunWorker | undefined;
  private closed = false;
  private readonly waiting = new Map<string, (answer: NeverStarted) => void>();

  async submit({ run, together }: RunJob): Promise<{ startedAt: Date } | NeverStarted> {
    if (this.closed) return 'closed';
    if (this.held) return new Promise((resolve) => this.waiting.set(run.id, resolve));
    const execution = await this.worker?.execute(run, together);
    return execution === undefined ? 'closed' : { startedAt: execution.startedAt };
  }

  withdraw(agentRunId: string): boolean {
    const answer = this.waiting.get(agentRunId);
    answer?.('withdrawn');
    return answer !== undefined && this.waiting.delete(agentRunId);
  }

  serve(worker: RunWorker): void {
    this.worker = worker;
  }

  close(): void {
    this.closed = true;
    for (const answer of this.waiting.values()) answer('closed');
  }
}

export class SteeredClock implements Clock {
  second = 10;
  now(): Date {
    return at(this.second);
  }
}

export class RecordedFaults implements FaultLog {
  readonly reports: string[] = [];
  report(what: string, error: unknown): void {
    this.reports.push(`${what}: ${(error as Error).message}`);
  }
}

export function countedIds(): Ids {
  let count = 0;
  return { uuid: () => `id-${++count}` };
}

/** All of agent-run's use cases on fakes. */
export function agentRuns() {
  const driver = new ScriptedDriver();
  const runs = new InMemoryAgentRuns();
  const queue = new SteeredQueue();
  const clock = new SteeredClock();
  const faults = new RecordedFaults();
  const known = new Map<string, Assistant>(
    ['default', 'other'].map((id) => [id, assistantFrom(id, { command: ['agent'] }, '/')]),
  );
  const assistants: AssistantDirectory = {
    all: () => [...known.values()],
    find: (id) => known.get(id),
    reload: () => Promise.resolve(),
  };
  const drivers: AssistantDrivers = { of: () => driver, all: () => [driver] };
  const here: { id: string; alone?: boolean; cutOff?: boolean } = { id: 'here' };
  const listeners = new RunEndListeners(faults);
  const told: ToldEnd[] = [];
  const inHand = new Set<string>();
  listeners.subscribe({ runEnded: (end) => Promise.resolve(void told.push(end)) });
  const heard: [string, string, string][] = [];
  const live: LiveOutput = {
    said: (id, stream, chunk) => void heard.push([id, stream, chunk.toString()]),
    finish: (id) => Promise.resolve(void heard.push([id, 'finish', ''])),
    read: () => {
      throw new Error('nobody reads here');
    },
  };
  const launches = new Launches(assistants, drivers, runs.threads, live);
  const execution = new ExecuteRun(launches, runs, listeners, faults, clock, here);
  queue.serve(execution);
  const cancel = new CancelRun(runs, queue, execution, launches, listeners, here);
  const start = new StartRun(assistants, runs, queue, countedIds(), here);
  return {
    driver,
    drivers,
    runs,
    queue,
    clock,
    faults,
    known,
    assistants,
    launches,
    heard,
    listeners,
    told,
    execution,
    promote: new PromoteQueued(runs, assistants, queue, listeners, faults, here, () => undefined, 3_600),
    here,
    start,
    cancel,
    heed: new HeedCancelRequests(runs, cancel, faults, here, () => start.busy || execution.busy),
    settle: new SettleAbandonedRuns(runs, launches, execution, listeners, faults, here, (run) => inHand.has(run.id)),
    inHand,
    tryAgain: new TryAgain(runs, assistants, queue, listeners, faults, here),
    stop: new StopRuns(queue, execution, runs),
    stored: (id: string): AgentRun | undefined => runs.runs.get(id),
  };
}

export function startInput(more: Partial<StartRunInput> = {}): StartRunInput {
  return {
    requestId: 'request',
    owner: { tenantId: 1, userId: 'alice' },
    threadId: 'thread',
    createThread: true,
    assistantId: 'default',
    prompt: 'hello',
    metadata: { scheduled_task_id: 'task-1' },
    whenBusy: 'reject',
    ...more,
  };
}
