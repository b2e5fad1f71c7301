// Use case. Reads agent runs: one with all that was said, several by request id, those of a thread.
import type { Actor } from '../../kernel/actor';
import type { AgentRun, AgentRunSummary } from '../domain/agent-run';
import { AgentRunNotFoundError, ThreadNotFoundError } from '../domain/errors';
import { couldBeId } from '../domain/plain-text';
import type { UsageSum } from '../domain/usage';
import type { AgentRunRepository, Page } from '../ports/agent-run-repository';
import type { ThreadRepository } from '../ports/thread-repository';

export class FindRuns {
  constructor(
    private readonly runs: AgentRunRepository,
    private readonly threads: ThreadRepository,
  ) {}

  /** Those that exist and the actor may see, in no order. */
  async byRequestIds(actor: Actor, requestIds: readonly string[]): Promise<AgentRunSummary[]> {
    if (requestIds.length === 0) return [];
    return (await this.runs.byRequestIds(actor, requestIds)).map((run) => run.summary());
  }

  /** Which of these threads are not idle: a run works there, or one waits. */
  busyThreads(actor: Actor, threadIds: readonly string[]): Promise<ReadonlySet<string>> {
    return threadIds.length === 0 ? Promise.resolve(new Set()) : this.runs.busyThreads(actor, threadIds);
  }

  async byId(actor: Actor, agentRunId: string): Promise<AgentRun> {
    const run = couldBeId(agentRunId) ? await this.runs.find(actor, agentRunId) : null;
    if (run === null) throw new AgentRunNotFoundError(agentRunId);
    return run;
  }

  /** What all runs that were launched with this metadata say that they used. */
  usageOf(actor: Actor, metadata: Readonly<Record<string, string>>): Promise<UsageSum> {
    return this.runs.sumUsage(actor, metadata);
  }

  /** Newest first. */
  async ofThread(actor: Actor, threadId: string, page: Page): Promise<AgentRun[]> {
    const thread = couldBeId(threadId) ? await this.threads.find(actor, threadId) : null;
    if (thread === null) throw new ThreadNotFoundError(threadId);
    return this.runs.ofThread(actor, threadId, page);
  }
}
