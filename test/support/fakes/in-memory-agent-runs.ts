// Test support. Agent runs and threads in memory, with the promises of their ports.
import type { Actor, Owner } from '../../../src/kernel/actor';
import { AgentRun } from '../../../src/agent-run/domain/agent-run';
import type { UsageSum } from '../../../src/agent-run/domain/usage';
import { answerOf } from '../../../src/agent-run/domain/run-end';
import type { Thread, ThreadMessage } from '../../../src/agent-run/domain/thread';
import type {
  AgentRunRepository,
  Holders,
  Opening,
  OpenOptions,
  Page,
} from '../../../src/agent-run/ports/agent-run-repository';
import {
  MOST_PAGE_BYTES,
  type MessagePage,
  type ThreadRepository,
} from '../../../src/agent-run/ports/thread-repository';

type Stored = { readonly tenantId: number; readonly userId: string };
const mayRead = (actor: Actor, { tenantId, userId }: Stored): boolean =>
  actor.type === 'system' || (actor.tenantId === tenantId && actor.userId === userId);

export class InMemoryAgentRuns implements AgentRunRepository {
  readonly runs = new Map<string, AgentRun>();
  readonly threads: InMemoryThreads;
  /** The processes that give signs of life. */
  readonly alive = new Set<string>(['alive']);
  /** Set by a test: the next write fails so. */
  failure: Error | undefined;

  constructor(threads = new InMemoryThreads()) {
    this.threads = threads;
    threads.newestRun = (threadId) => this.list().find(({ fields }) => fields.threadId === threadId)?.fields.createdAt;
  }

  open(
    actor: Actor,
    run: AgentRun,
    createThread: boolean,
    { enqueue = false, together = [] }: OpenOptions = {},
  ): Promise<Opening> {
    return this.write((): Opening => {
      const { id, requestId, threadId, owner, createdAt, prompt } = run.fields;
      if (!mayRead(actor, owner)) return { outcome: 'no-thread' };
      const known = this.list().find(({ fields }) => fields.requestId === requestId);
      if (known !== undefined) return { outcome: 'known', run: known };
      if (createThread && !this.threads.threads.has(threadId)) {
        this.threads.threads.set(threadId, { id: threadId, owner, title: null, createdAt, updatedAt: createdAt });
      }
      const thread = this.threads.threads.get(threadId);
      if (thread?.owner.tenantId !== owner.tenantId || thread.owner.userId !== owner.userId)
        return { outcome: 'no-thread' };
      const busy = this.list().some((other) => other.fields.threadId === threadId && !other.ended);
      if (busy && !enqueue) return { outcome: 'busy' };
      this.runs.set(id, busy ? run.asQueued() : run);
      this.threads.say(run, 'user', prompt, createdAt);
      for (const other of busy ? [] : together) {
        this.runs.set(other.id, other);
        this.threads.say(other, 'user', other.fields.prompt, createdAt);
      }
      return { outcome: busy ? 'queued' : 'opened' };
    });
  }

  recordStart(run: AgentRun): Promise<void> {
    return this.write(() => {
      const { startedAt } = run.fields;
      if (startedAt !== null && this.runs.get(run.id)?.status === 'starting')
        this.update(run.id, (is) => is.started(startedAt));
    });
  }

  recordEnd(run: AgentRun): Promise<boolean> {
    return this.write(() => {
      const stored = this.runs.get(run.id);
      const corrects = stored?.fields.end?.presumed === true && run.fields.end?.presumed !== true;
      if (stored === undefined || (stored.ended && !corrects)) return false;
      this.runs.set(run.id, run);
      const { end, threadId, assistantId } = run.fields;
      if (end !== null && end.agentSession !== null) {
        this.threads.sessions.set(`${threadId} ${assistantId}`, end.agentSession);
      }
      const said = end === null ? '' : answerOf(end);
      if (said !== '') this.threads.say(run, 'assistant', said, run.fields.finishedAt ?? run.fields.createdAt);
      return true;
    });
  }

  recordCancelRequest(actor: Actor, agentRunId: string, now: Date): Promise<void> {
    return this.write(() => {
      const stored = this.runs.get(agentRunId);
      if (stored !== undefined && !stored.ended && mayRead(actor, stored.fields.owner)) {
        this.update(agentRunId, (run) => run.cancelRequested(now));
      }
    });
  }

  withdraw(run: AgentRun): Promise<void> {
    return this.write(() => {
      if (this.runs.get(run.id)?.status !== 'starting') return;
      this.runs.delete(run.id);
      this.threads.said = this.threads.said.filter(({ agentRunId }) => agentRunId !== run.id);
    });
  }

  find(actor: Actor, agentRunId: string): Promise<AgentRun | null> {
    const run = this.runs.get(agentRunId);
    return Promise.resolve(run !== undefined && mayRead(actor, run.fields.owner) ? run : null);
  }

  byRequestIds(actor: Actor, requestIds: readonly string[]): Promise<AgentRun[]> {
    const found = this.list().filter(
      ({ fields }) => requestIds.includes(fields.requestId) && mayRead(actor, fields.owner),
    );
    return Promise.resolve(found);
  }

  ofThread(actor: Actor, threadId: string, { limit, offset }: Page): Promise<AgentRun[]> {
    const found = this.list().filter(({ fields }) => fields.threadId === threadId && mayRead(actor, fields.owner));
    return Promise.resolve(found.slice(offset, offset + limit));
  }

  heldBy(holders: Holders): Promise<AgentRun[]> {
    const isHeld = (instanceId: string | null): boolean => {
      if (holders === 'all') return true;
      if ('deadOr' in holders) {
        return instanceId === null || instanceId === holders.deadOr || !this.alive.has(instanceId);
      }
      return instanceId !== null && holders.has(instanceId);
    };
    const held = this.list().filter(
      ({ status, fields }) =>
        (status === 'starting' || status === 'running') && fields.retryAt === null && isHeld(fields.instanceId),
    );
    return Promise.resolve(held);
  }

  sumUsage(actor: Actor, metadata: Readonly<Record<string, string>>): Promise<UsageSum> {
    const told = this.list()
      .filter(({ fields }) => mayRead(actor, fields.owner))
      .filter(({ fields }) => Object.entries(metadata).every(([key, value]) => fields.metadata[key] === value))
      .flatMap(({ fields }) => (fields.end?.usage == null ? [] : [fields.end.usage]));
    const sum = (key: keyof (typeof told)[number]): number => told.reduce((all, one) => all + (one[key] ?? 0), 0);
    return Promise.resolve({
      reported: told.length,
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      totalTokens: sum('totalTokens'),
      costUsd: sum('costUsd'),
    });
  }

  recordRetry(turn: readonly AgentRun[], retryAt: Date): Promise<boolean> {
    return this.write(() => {
      const open = turn.filter(({ id }) => this.runs.get(id)?.ended === false);
      if (open[0] !== turn[0]) return false;
      for (const { id } of open) this.update(id, (is) => is.waitingUntil(retryAt));
      return true;
    });
  }

  takeRetries(instanceId: string, now: Date): Promise<{ due: AgentRun[][]; nextAt: Date | null }> {
    return this.write(() => {
      const waiting = this.list().filter(({ fields, ended }) => fields.retryAt !== null && !ended);
      const turns = waiting
        .filter(({ fields }) => fields.turnOf === null)
        .map((head) => [head, ...waiting.filter(({ fields }) => fields.turnOf === head.id).reverse()]);
      const isDue = (turn: readonly AgentRun[]): boolean =>
        turn[0]!.fields.retryAt! <= now || turn.some(({ fields }) => fields.cancelRequestedAt !== null);
      const due = turns.filter(isDue).map((turn) => turn.map((run) => run.triedAgainBy(instanceId)));
      for (const run of due.flat()) this.runs.set(run.id, run);
      const later = turns.filter((turn) => !isDue(turn)).map(([head]) => head!.fields.retryAt!);
      return { due, nextAt: later.sort((a, b) => a.getTime() - b.getTime())[0] ?? null };
    });
  }

  takeOver(run: AgentRun, instanceId: string): Promise<AgentRun | null> {
    return this.write(() => {
      const stored = this.runs.get(run.id);
      if (stored === undefined || stored.ended || stored.fields.instanceId !== run.fields.instanceId) return null;
      this.runs.set(run.id, stored.takenOverBy(instanceId));
      return run.takenOverBy(instanceId);
    });
  }

  async cancelRequested(instanceId: string): Promise<AgentRun[]> {
    return (await this.heldBy(new Set([instanceId]))).filter(({ fields }) => fields.cancelRequestedAt !== null);
  }

  busyThreads(_actor: Actor, threadIds: readonly string[]): Promise<ReadonlySet<string>> {
    const busy = this.list().flatMap((run) => (run.ended ? [] : [run.fields.threadId]));
    return Promise.resolve(new Set(busy.filter((id) => threadIds.includes(id))));
  }

  queuedThreads(): Promise<string[]> {
    return Promise.resolve([...new Set(this.queued().map(({ fields }) => fields.threadId))]);
  }

  queuedBefore(instant: Date): Promise<AgentRun[]> {
    return Promise.resolve(this.queued().filter(({ fields }) => fields.createdAt < instant));
  }

  promote(threadId: string, instanceId: string): Promise<AgentRun[]> {
    const ofThread = this.list().filter(({ fields }) => fields.threadId === threadId);
    const line = this.queued().filter(({ fields }) => fields.threadId === threadId);
    const [head] = line;
    if (head === undefined || ofThread.some(({ status }) => status === 'starting' || status === 'running'))
      return Promise.resolve([]);
    const key = ({ fields }: AgentRun): string => JSON.stringify([fields.assistantId, fields.workingFolder]);
    const end = line.findIndex((run) => key(run) !== key(head));
    const turn = line.slice(0, end < 0 ? line.length : end).map((run) => {
      const turnOf = run === head ? null : head.id;
      return AgentRun.restore({ ...run.fields, status: 'starting', instanceId, turnOf });
    });
    for (const run of turn) this.runs.set(run.id, run);
    return Promise.resolve(turn);
  }

  requeue(runs: readonly AgentRun[]): Promise<void> {
    for (const { id } of runs) this.update(id, (run) => (run.status === 'starting' ? run.asQueued() : run));
    return Promise.resolve();
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  /** Oldest first. */
  private queued(): AgentRun[] {
    return this.list()
      .filter(({ status }) => status === 'queued')
      .reverse();
  }

  /** Newest first. */
  private list(): AgentRun[] {
    const order = ({ fields: { createdAt, id } }: AgentRun): string => `${createdAt.toISOString()} ${id}`;
    return [...this.runs.values()].sort((a, b) => (order(a) < order(b) ? 1 : -1));
  }

  private update(id: string, change: (run: AgentRun) => AgentRun): void {
    const run = this.runs.get(id);
    if (run !== undefined) this.runs.set(id, change(run));
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- a failure must be a rejection
  private async write<T>(work: () => T): Promise<T> {
    const failure = this.failure;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    return work();
  }
}

export class InMemoryThreads implements ThreadRepository {
  readonly threads = new Map<string, Thread>();
  readonly sessions = new Map<string, string>();
  said: ThreadMessage[] = [];
  newestRun: (threadId: string) => Date | undefined = () => undefined;

  add(_actor: Actor, thread: Thread): Promise<void> {
    this.threads.set(thread.id, thread);
    return Promise.resolve();
  }

  find(actor: Actor, threadId: string): Promise<Thread | null> {
    const thread = this.threads.get(threadId);
    if (thread === undefined || !mayRead(actor, thread.owner)) return Promise.resolve(null);
    const newest = this.newestRun(threadId) ?? thread.updatedAt;
    return Promise.resolve({ ...thread, updatedAt: newest > thread.updatedAt ? newest : thread.updatedAt });
  }

  agentSession(owner: Owner, threadId: string, assistantId: string): Promise<string | null> {
    const thread = this.threads.get(threadId);
    const own = thread?.owner.tenantId === owner.tenantId && thread.owner.userId === owner.userId;
    return Promise.resolve(own ? (this.sessions.get(`${threadId} ${assistantId}`) ?? null) : null);
  }

  messages(actor: Actor, threadId: string, { limit, after }: MessagePage): Promise<ThreadMessage[]> {
    const thread = this.threads.get(threadId);
    if (thread === undefined || !mayRead(actor, thread.owner)) return Promise.resolve([]);
    const later = this.said.filter(
      (message) => message.threadId === threadId && BigInt(message.id) > BigInt(after ?? 0),
    );
    let saidBefore = 0;
    const page = later.slice(0, limit).filter(({ content }) => {
      const fits = saidBefore < MOST_PAGE_BYTES;
      saidBefore += Buffer.byteLength(content);
      return fits;
    });
    return Promise.resolve(page);
  }

  say(run: AgentRun, role: ThreadMessage['role'], content: string, createdAt: Date): void {
    const id = String(this.said.length + 1);
    this.said.push({ id, threadId: run.fields.threadId, agentRunId: run.id, role, content, createdAt });
  }
}
