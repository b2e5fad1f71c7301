// Use case. Executes one run that has its turn: starts the driver, follows it to its end, stores the end, tells the
// listeners. The one place that knows which runs are at work in this process.
import { DomainError } from '../../kernel/domain-error';
import type { Clock } from '../../kernel/clock';
import type { ThisInstance } from '../../kernel/this-instance';
import type { AgentRun } from '../domain/agent-run';
import { StartAbortedError } from '../domain/errors';
import { bareEnd, saidByHead, type RunEnd } from '../domain/run-end';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { Started } from '../ports/assistant-driver';
import type { FaultLog } from '../ports/fault-log';
import type { Execution, RunWorker } from '../ports/run-queue';
import type { DriverAndLaunch, Launches } from './launches';
import type { RunEndListeners } from './run-end-listeners';

interface Flight {
  readonly requestId: string;
  readonly landed: Promise<void>;
  at?: DriverAndLaunch;
  cancelled?: string;
}

export class ExecuteRun implements RunWorker {
  private readonly flights = new Map<string, Flight>();

  constructor(
    private readonly launches: Launches,
    private readonly runs: AgentRunRepository,
    private readonly listeners: RunEndListeners,
    private readonly faults: FaultLog,
    private readonly clock: Clock,
    private readonly instance: ThisInstance,
  ) {}

  async execute(run: AgentRun, together: readonly AgentRun[] = []): Promise<Execution> {
    if (this.instance.cutOff === true) throw new StartAbortedError();
    const turn = [run, ...together];
    const { flight, landed } = this.takeOff(run, together);
    const startedAt = this.clock.now();
    try {
      const started = await this.start(run, flight, promptOf(turn));
      const running = turn.map((one) => one.started(startedAt));
      return { startedAt, ended: this.follow(running, started, landed) };
    } catch (error) {
      // Certainly nothing runs: the thread is free again. Who asked for the run hears of it, so no listener does.
      // Any other fault leaves the run `starting`, since an agent may be at work after all.
      if (error instanceof DomainError) {
        const end = bareEnd('error', error.message);
        await Promise.all(turn.map((one) => this.runs.recordEnd(one.endedWith(end, this.clock.now()))));
      }
      landed();
      throw error;
    }
  }

  /**
   * Goes on with a run, and those of its turn, whose agent has outlived the process that started it; they are this
   * process's by now.
   */
  async adopt(run: AgentRun, at: DriverAndLaunch, together: readonly AgentRun[] = []): Promise<boolean> {
    const started = await at.driver.adopt(at.launch);
    if (started === null) return false;
    const { flight, landed } = this.takeOff(run, together);
    flight.at = at;
    const startedAt = this.clock.now();
    const running = [run, ...together].map((one) => (one.fields.startedAt === null ? one.started(startedAt) : one));
    void this.follow(running, started, landed);
    return true;
  }

  /** Asks the agent of a run to end. False: the run is not at work in this process. */
  async cancel(agentRunId: string, reason: string): Promise<boolean> {
    const flight = this.flights.get(agentRunId);
    if (flight === undefined) return false;
    flight.cancelled ??= reason;
    await flight.at?.driver.cancel(flight.requestId, flight.cancelled, flight.at.launch);
    return true;
  }

  /** Of the agents that end with this process: the others are followed again by another one. */
  async cancelAll(reason: string): Promise<void> {
    await Promise.all(this.bound().map(([id]) => this.cancel(id, reason)));
  }

  isAtWork(agentRunId: string): boolean {
    return this.flights.has(agentRunId);
  }

  /** Whether any run is at work in this process. */
  get busy(): boolean {
    return this.flights.size > 0;
  }

  /** Resolves when every run now at work that ends with this process has ended, and its end is stored. */
  async allLanded(): Promise<void> {
    await Promise.all(this.bound().map(([, { landed }]) => landed));
  }

  private bound(): [string, Flight][] {
    return [...this.flights].filter(
      ([, { at }]) => at?.driver.capabilities(at.launch.assistant).outlivesHouse !== true,
    );
  }

  private takeOff(run: AgentRun, together: readonly AgentRun[] = []): { flight: Flight; landed: () => void } {
    let land = (): void => undefined;
    const { requestId } = run.fields;
    const flight: Flight = { requestId, landed: new Promise((resolve) => (land = resolve)) };
    const ids = [run, ...together].map(({ id }) => id);
    for (const id of ids) this.flights.set(id, flight);
    const landed = (): void => {
      for (const id of ids) this.flights.delete(id);
      land();
    };
    return { flight, landed };
  }

  private async start(run: AgentRun, flight: Flight, prompt: string): Promise<Started> {
    const at = await this.launches.toStart(run);
    const { driver } = at;
    const launch = { ...at.launch, prompt };
    const started = await driver.start(launch);
    flight.at = at;
    // The wish to cancel may have come while the driver was starting and could not be told yet.
    if (flight.cancelled !== undefined) await driver.cancel(launch.requestId, flight.cancelled, launch);
    return started;
  }

  /** What this resolves with frees the assistant's place; storing and telling go on beside it. */
  private async follow(running: readonly AgentRun[], { ended }: Started, landed: () => void): Promise<void> {
    // A run that is over at once is written once, as ended.
    const already = await Promise.race([ended, Promise.resolve(undefined)]);
    if (already === undefined) {
      // Nothing that has started is called failed because its row could not be written: the end will be.
      for (const run of running) {
        this.runs.recordStart(run).catch((error: unknown) => {
          this.faults.report(`the start of agent run ${run.id} could not be stored`, error);
        });
      }
    }
    const end = already ?? (await ended);
    void this.over(running, end).then(landed);
  }

  /** Over, or only for now: an agent that was told to slow down is started again later, with its whole turn. */
  private async over(running: readonly AgentRun[], end: RunEnd): Promise<void> {
    const [head] = running;
    if (head === undefined) return;
    const retryAt = head.nextAttempt(end, this.clock.now());
    // Before, since whoever tries again may do so at once, under the same name.
    if (retryAt !== null) await this.forget(head);
    try {
      if (retryAt !== null && (await this.runs.recordRetry(running, retryAt))) return;
    } catch (error) {
      this.faults.report(`agent run ${head.id} could not be put off`, error);
    }
    const stored = await Promise.all(running.map((run) => this.settle(run, run === head ? end : saidByHead(end))));
    if (stored.every(Boolean)) await this.forget(head);
  }

  /** False: the end could not be stored. */
  private async settle(running: AgentRun, end: RunEnd): Promise<boolean> {
    const run = running.endedWith(end, this.clock.now());
    let stored = false;
    try {
      if (await this.runs.recordEnd(run)) await this.listeners.tell(run);
      stored = true;
    } catch (error) {
      this.faults.report(`the end of agent run ${run.id} (${end.status}) could not be stored`, error);
    }
    await this.launches
      .saidAll(run)
      .catch((error: unknown) => this.faults.report(`agent run ${run.id}, live output`, error));
    return stored;
  }

  /** Only now: until its end was stored, the driver's traces were all that there was of it. */
  private async forget({ id, fields: { requestId } }: AgentRun): Promise<void> {
    await this.flights.get(id)?.at?.driver.forget(requestId);
  }
}

/** What its agent is told in this turn: one prompt, or several in order. */
function promptOf(turn: readonly AgentRun[]): string {
  return turn.map(({ fields }) => fields.prompt).join('\n\n');
}
