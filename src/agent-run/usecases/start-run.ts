// Use case. Starts an agent run, once for each request id. The run is stored as `starting` before anything outside
// happens, so that whatever becomes of this process, the run can be found.
import type { Actor, Owner } from '../../kernel/actor';
import type { Ids } from '../../kernel/ids';
import { AgentRun } from '../domain/agent-run';
import {
  LaunchFailedError,
  RequestIdTakenError,
  StartAbortedError,
  StartUnsettledError,
  ThreadNotFoundError,
  UnknownAssistantError,
} from '../domain/errors';
import { plainText } from '../domain/plain-text';
import { prompt } from '../domain/prompt';
import { bareEnd } from '../domain/run-end';
import { threadId } from '../domain/thread';
import type { AgentRunRepository } from '../ports/agent-run-repository';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { RunJob, RunQueue } from '../ports/run-queue';
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
  | { readonly outcome: 'busy' }
  /** It waits for its thread to be idle. */
  | { readonly outcome: 'queued'; readonly agentRunId: string; readonly threadId: string };

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

  /**
   * Several prompts for one thread and one assistant as one turn of its agent, in this order: each is a run of its own, and
   * all start and end together, or none does.
   */
  async together(actor: Actor, inputs: readonly StartRunInput[], now: Date): Promise<StartRunResult[]> {
    const [head, ...others] = inputs;
    if (head === undefined) return [];
    const start = this.start(actor, head, now, others);
    for (const { requestId } of inputs) this.underWay.set(requestId, start);
    const result = await start.finally(() => inputs.forEach(({ requestId }) => this.underWay.delete(requestId)));
    if (result.outcome !== 'started') return inputs.map(() => result);
    const requests = others.map(({ requestId }) => requestId);
    const known = requests.length === 0 ? [] : await this.runs.byRequestIds(actor, requests);
    const ids = new Map(known.map(({ id, fields }) => [fields.requestId, id]));
    return inputs.map(({ requestId }) => ({ ...result, agentRunId: ids.get(requestId) ?? result.agentRunId }));
  }

  /**
   * For whoever does not wait until the agent works: resolves as soon as the run is stored, with its id, or null when its
   * thread is busy. What becomes of the start is told by the run itself.
   */
  async accept(
    actor: Actor,
    input: StartRunInput,
    now: Date,
  ): Promise<{ agentRunId: string; outcome: 'accepted' | 'queued' } | null> {
    const { run, places, opening } = await this.store(actor, input, now, []);
    switch (opening.outcome) {
      case 'busy':
        return null;
      case 'no-thread':
        throw new ThreadNotFoundError(input.threadId);
      case 'queued':
        return { agentRunId: run.id, outcome: 'queued' };
      case 'known':
        if (!isSame(opening.run, input)) throw new RequestIdTakenError();
        return { agentRunId: opening.run.id, outcome: 'accepted' };
      case 'opened': {
        // A start that fails is stored with the run, which is where whoever asked looks for it.
        const start = this.submit({ run, together: [], places }).catch(() => undefined);
        this.underWay.set(input.requestId, start as Promise<never>);
        void start.finally(() => this.underWay.delete(input.requestId));
        return { agentRunId: run.id, outcome: 'accepted' };
      }
    }
  }

  private async start(
    actor: Actor,
    input: StartRunInput,
    now: Date,
    others: readonly StartRunInput[] = [],
  ): Promise<StartRunResult> {
    const { run, together, places, opening } = await this.store(actor, input, now, others);
    switch (opening.outcome) {
      case 'busy':
        return { outcome: 'busy' };
      case 'queued':
        return { outcome: 'queued', agentRunId: run.id, threadId: run.fields.threadId };
      case 'no-thread':
        throw new ThreadNotFoundError(input.threadId);
      case 'known':
        return again(opening.run, input);
      case 'opened':
        return this.submit({ run, together, places });
    }
  }

  private async store(actor: Actor, input: StartRunInput, now: Date, others: readonly StartRunInput[]) {
    const run = this.open(actor, input, now);
    const together = others.map((other) => this.open(actor, other, now, run.id));
    const assistant = this.assistants.find(input.assistantId);
    if (assistant === undefined) {
      throw new UnknownAssistantError(
        input.assistantId,
        this.assistants.all().map(({ id }) => id),
      );
    }
    const enqueue = input.whenBusy === 'enqueue';
    const opening = await this.runs.open(actor, run, input.createThread, { enqueue, together });
    return { run, together, places: assistant.concurrency, opening };
  }

  private async submit(job: RunJob & { readonly together: readonly AgentRun[] }): Promise<StartRunResult> {
    const { run, together } = job;
    const start = await this.queue.submit(job).catch(async (error: unknown) => {
      if (error instanceof StartAbortedError) await this.takeBack(job);
      throw error;
    });
    if (start === 'closed') {
      await this.takeBack(job);
      throw new StartAbortedError();
    }
    if (start === 'withdrawn') await this.endWithHead(together, run.fields.createdAt);
    if (start === 'withdrawn') throw new StartUnsettledError(`Agent run ${run.id} was called off before it started.`);
    return { outcome: 'started', agentRunId: run.id, threadId: run.fields.threadId, startedAt: start.startedAt };
  }

  private async takeBack({ run, together }: { run: AgentRun; together: readonly AgentRun[] }): Promise<void> {
    await Promise.all([run, ...together].map((one) => this.runs.withdraw(one)));
  }

  /** The head of their turn was called off before it began, and they with it. */
  private async endWithHead(together: readonly AgentRun[], at: Date): Promise<void> {
    const end = bareEnd('interrupted', 'The turn that it was part of was called off before it began.');
    await Promise.all(together.map((run) => this.runs.recordEnd(run.endedWith(end, at))));
  }

  /** Everything that can be judged without asking anybody. */
  private open(actor: Actor, input: StartRunInput, now: Date, turnOf: string | null = null): AgentRun {
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
        turnOf,
      },
      now,
    );
  }
}

/** The request was made before: what is known of its run is the answer. */
function again(run: AgentRun, input: StartRunInput): StartRunResult {
  const { threadId, startedAt, end } = run.fields;
  if (!isSame(run, input)) throw new RequestIdTakenError();
  if (startedAt !== null) return { outcome: 'started', agentRunId: run.id, threadId, startedAt };
  if (run.status === 'queued') return { outcome: 'queued', agentRunId: run.id, threadId };
  if (run.status === 'error') throw new LaunchFailedError(end?.error ?? 'The agent could not be started.');
  throw new StartUnsettledError(`Agent run ${run.id} is ${run.status}, and whether its agent works is not known.`);
}

function isSame({ fields: { owner, threadId } }: AgentRun, asked: StartRunInput): boolean {
  return owner.tenantId === asked.owner.tenantId && owner.userId === asked.owner.userId && threadId === asked.threadId;
}
