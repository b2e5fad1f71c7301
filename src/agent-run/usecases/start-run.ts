// Use case. Starts an agent run, once for each request id. The run is stored as `starting` before anything outside
// happens, so that whatever becomes of this process, the run can be found.
import type { Actor, Owner } from '../../kernel/actor';
import type { Ids } from '../../kernel/ids';
import { AgentRun } from '../domain/agent-run';
import {
  InvalidInputError,
  LaunchFailedError,
  RequestIdTakenError,
  StartAbortedError,
  StartUnsettledError,
  ThreadNotFoundError,
  UnknownAssistantError,
} from '../domain/errors';
import { plainText } from '../domain/plain-text';
import { prompt } from '../domain/prompt';
import { threadId } from '../domain/thread';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { RunQueue } from '../ports/run-queue';
import type { ThisInstance } from '../../kernel/this-instance';

export interface StartRunInput {
  /** The caller's own name for this run: asked for twice, it is started once. */
  readonly requestId: string;
  /** Whose thread and run it is. */
  readonly owner: Owner;
  readonly threadId: string;
  readonly createThread: boolean;
  readonly assistantId: string;
  readonly prompt: string;
  /** What the caller wants to find again at the end; drivers hand it on to the agent. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly whenBusy: 'reject' | 'enqueue';
  readonly workingFolder?: string;
}

export type StartRunResult =
  | { readonly outcome: 'started'; readonly agentRunId: string; readonly threadId: string; readonly startedAt: Date }
  | { readonly outcome: 'busy' };

export class StartRun {
  private readonly underWay = new Map<string, Promise<StartRunResult>>();

  constructor(
    private readonly assistants: AssistantDirectory,
    private readonly runs: AgentRunRepository,
    private readonly queue: RunQueue,
    private readonly ids: Ids,
    private readonly instance: ThisInstance,
  ) {}

  /**
   * Resolves when the agent works, which takes as long as its assistant has no free place. A DomainError means that
   * certainly nothing runs, StartAbortedError that nothing runs and the same request may come again; any other error,
   * and an unavailable database, means that the outcome is not known here (`FindRuns` tells later).
   */
  run(actor: Actor, input: StartRunInput, now: Date): Promise<StartRunResult> {
    const running = this.underWay.get(input.requestId);
    if (running !== undefined) return running;
    const start = this.start(actor, input, now).finally(() => this.underWay.delete(input.requestId));
    this.underWay.set(input.requestId, start);
    return start;
  }

  isUnderWay(requestId: string): boolean {
    return this.underWay.has(requestId);
  }

  /** Whether any run is being started in this process, or waits for its assistant to have a place. */
  get busy(): boolean {
    return this.underWay.size > 0;
  }

  private async start(actor: Actor, input: StartRunInput, now: Date): Promise<StartRunResult> {
    const run = this.open(actor, input, now);
    const assistant = this.assistants.find(input.assistantId);
    if (assistant === undefined) {
      throw new UnknownAssistantError(
        input.assistantId,
        this.assistants.all().map(({ id }) => id),
      );
    }
    const opening = await this.runs.open(actor, run, input.createThread);
    switch (opening.outcome) {
      case 'busy':
        return { outcome: 'busy' };
      case 'no-thread':
        throw new ThreadNotFoundError(input.threadId);
      case 'known':
        return again(opening.run, input);
      case 'opened':
        return this.submit(run, assistant.concurrency);
    }
  }

  private async submit(run: AgentRun, places: number | null): Promise<StartRunResult> {
    const start = await this.queue.submit({ run, places });
    if (start === 'closed') {
      await this.runs.withdraw(run);
      throw new StartAbortedError();
    }
    if (start === 'withdrawn') throw new StartUnsettledError(`Agent run ${run.id} was called off before it started.`);
    return { outcome: 'started', agentRunId: run.id, threadId: run.fields.threadId, startedAt: start.startedAt };
  }

  /** Everything that can be judged without asking anybody. */
  private open(actor: Actor, input: StartRunInput, now: Date): AgentRun {
    if (input.whenBusy === 'enqueue') {
      throw new InvalidInputError('when_busy', 'when_busy: "enqueue" is not offered yet; use "reject".');
    }
    // Nobody starts runs in somebody else's name; that their thread exists is not told either.
    if (actor.type === 'user' && (actor.tenantId !== input.owner.tenantId || actor.userId !== input.owner.userId)) {
      throw new ThreadNotFoundError(input.threadId);
    }
    plainText('request_id', input.requestId);
    for (const value of Object.values(input.metadata)) plainText('metadata', value);
    return AgentRun.open(
      {
        id: this.ids.uuid(),
        requestId: input.requestId,
        owner: input.owner,
        threadId: threadId(input.threadId),
        assistantId: input.assistantId,
        prompt: prompt(input.prompt),
        metadata: input.metadata,
        workingFolder: input.workingFolder === undefined ? null : plainText('working_folder', input.workingFolder),
        instanceId: this.instance.id,
      },
      now,
    );
  }
}

/** The request was made before: what is known of its run is the answer. */
function again(run: AgentRun, input: StartRunInput): StartRunResult {
  const { owner, threadId, startedAt, end } = run.fields;
  if (owner.tenantId !== input.owner.tenantId || owner.userId !== input.owner.userId || threadId !== input.threadId) {
    throw new RequestIdTakenError();
  }
  if (startedAt !== null) return { outcome: 'started', agentRunId: run.id, threadId, startedAt };
  if (run.status === 'error') throw new LaunchFailedError(end?.error ?? 'The agent could not be started.');
  throw new StartUnsettledError(`Agent run ${run.id} is ${run.status}, and whether its agent works is not known.`);
}
