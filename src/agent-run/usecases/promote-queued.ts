// Use case. Gives agent runs that wait for a thread their turn when it is idle, and gives up those that have waited too
// long. Every process looks; which of them gets a turn is decided by one compare-and-set.
import type { ThisInstance } from '../../kernel/this-instance';
import type { AgentRun } from '../domain/agent-run';
import { StartAbortedError } from '../domain/errors';
import { bareEnd } from '../domain/run-end';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { FaultLog } from '../ports/fault-log';
import type { RunQueue } from '../ports/run-queue';
import type { RunEnd, RunEndListener, RunEndListeners } from './run-end-listeners';

/** In one look; the others are seen in the next. */
const MOST = 200;
/** Whoever works on a thread may be another process, which does not know that somebody waits. */
const LOOK_AGAIN_MS = 2_000;

export class PromoteQueued implements RunEndListener {
  /** Whether the last look found any, or one has been added here since: then the end of a run may be the turn of another. */
  private expecting = false;
  /** Threads whose line is being looked at, and runs that have their turn and are not at work yet. */
  private readonly threads = new Map<string, number>();
  private readonly inLine = new Set<string>();

  constructor(
    private readonly runs: AgentRunRepository,
    private readonly assistants: AssistantDirectory,
    private readonly queue: RunQueue,
    private readonly listeners: RunEndListeners,
    private readonly faults: FaultLog,
    private readonly instance: ThisInstance,
    /** Tells every process that somebody waits. */
    private readonly announce: () => void,
    private readonly timeoutSeconds: number,
  ) {
    listeners.subscribe(this);
  }

  /** Answers when to look again; null when nobody waits, and whoever comes is announced. */
  async run(now: Date): Promise<Date | null> {
    const threads = await this.runs.queuedThreads(MOST);
    this.expecting = threads.length > 0;
    if (!this.expecting) return null;
    await this.giveUpLate(now);
    for (const threadId of threads) await this.promote(threadId);
    return new Date(now.getTime() + LOOK_AGAIN_MS);
  }

  /** One has been added to the queue: its thread may have become idle meanwhile. */
  async added(threadId: string): Promise<void> {
    this.expecting = true;
    this.announce();
    await this.promote(threadId);
  }

  async runEnded({ threadId }: RunEnd): Promise<void> {
    if (this.expecting) await this.promote(threadId);
  }

  /** A run is in line from before it is stored as this process's. */
  isUnderWay({ id, fields }: AgentRun): boolean {
    return this.inLine.has(id) || this.threads.has(fields.threadId);
  }

  get busy(): boolean {
    return this.inLine.size > 0;
  }

  private async promote(threadId: string): Promise<void> {
    this.threads.set(threadId, (this.threads.get(threadId) ?? 0) + 1);
    try {
      await this.giveTurn(threadId);
    } finally {
      const others = (this.threads.get(threadId) ?? 1) - 1;
      if (others === 0) this.threads.delete(threadId);
      else this.threads.set(threadId, others);
    }
  }

  private async giveTurn(threadId: string): Promise<void> {
    // Cut off from the database, this process starts nothing more: others take the turn.
    if (this.instance.cutOff === true) return;
    const turn = await this.runs.promote(threadId, this.instance.id);
    const [head, ...together] = turn;
    if (head !== undefined) void this.submit(head, together);
  }

  private async submit(head: AgentRun, together: readonly AgentRun[]): Promise<void> {
    const turn = [head, ...together];
    for (const { id } of turn) this.inLine.add(id);
    try {
      const places = this.assistants.find(head.fields.assistantId)?.concurrency ?? null;
      const start = await this.queue.submit({ run: head, together, places });
      // Stopping: another process, or the next start of this one, takes the turn.
      if (start === 'closed') await this.runs.requeue(turn);
      if (start === 'withdrawn') await this.runs.requeue(together);
    } catch (error) {
      if (error instanceof StartAbortedError) return await this.runs.requeue(turn);
      // Its end is stored; nobody waits for the answer, so the listeners are told here.
      const ended = await this.runs.byRequestIds(
        HOUSE,
        turn.map(({ fields }) => fields.requestId),
      );
      for (const run of ended) if (run.ended) await this.listeners.tell(run);
      this.faults.report(`agent run ${head.id}, which had waited for its thread, could not be started`, error);
    } finally {
      for (const { id } of turn) this.inLine.delete(id);
    }
  }

  private async giveUpLate(now: Date): Promise<void> {
    const late = await this.runs.queuedBefore(new Date(now.getTime() - this.timeoutSeconds * 1_000), MOST);
    const end = bareEnd(
      'error',
      `Not started: it waited for its thread longer than the ${this.timeoutSeconds} s allowed.`,
    );
    for (const run of late) {
      const ended = run.endedWith(end, now);
      if (await this.runs.recordEnd(ended)) await this.listeners.tell(ended);
    }
  }
}

const HOUSE = { type: 'system', reason: 'agent runs: what became of a turn' } as const;
