// Use case. A person asks an agent something, on a conversation of theirs or a new one. Answers at once; the run tells what
// becomes of it.
import type { UserActor } from '../../kernel/actor';
import type { Ids } from '../../kernel/ids';
import type { AgentRun } from '../domain/agent-run';
import { InvalidInputError, ThreadBusyError } from '../domain/errors';
import type { FindRuns } from './find-runs';
import type { PromoteQueued } from './promote-queued';
import type { StartRun } from './start-run';

export interface RequestRunInput {
  /** Null: a new one. */
  readonly threadId: string | null;
  readonly assistantId: string;
  readonly prompt: string;
  readonly whenBusy: string;
  /** The person's own name for it: asked for twice, it is started once. Null: asked for once. */
  readonly requestId: string | null;
  readonly workingFolder: string | null;
}

const WHEN_BUSY = ['reject', 'enqueue'] as const;

export class RequestRun {
  constructor(
    private readonly startRun: StartRun,
    private readonly findRuns: FindRuns,
    private readonly queue: PromoteQueued,
    private readonly ids: Ids,
  ) {}

  /** @throws ThreadBusyError where the thread is busy and waiting was not asked for. */
  async run(actor: UserActor, input: RequestRunInput, now: Date): Promise<AgentRun> {
    const whenBusy = WHEN_BUSY.find((known) => known === input.whenBusy);
    if (whenBusy === undefined) {
      throw new InvalidInputError('when_busy', `when_busy must be one of: ${WHEN_BUSY.join(', ')}.`);
    }
    const threadId = input.threadId ?? this.ids.uuid();
    // A person's own names live beside everybody else's, and beside the house's.
    const requestId =
      input.requestId === null ? this.ids.uuid() : `${actor.tenantId}/${actor.userId}/${input.requestId}`;
    const accepted = await this.startRun.accept(
      actor,
      {
        requestId,
        owner: { tenantId: actor.tenantId, userId: actor.userId },
        threadId,
        createThread: input.threadId === null,
        assistantId: input.assistantId,
        prompt: input.prompt,
        metadata: {},
        whenBusy,
        ...(input.workingFolder === null ? {} : { workingFolder: input.workingFolder }),
      },
      now,
    );
    if (accepted === null) throw new ThreadBusyError(threadId);
    if (accepted.outcome === 'queued') await this.queue.added(threadId);
    return this.findRuns.byId(actor, accepted.agentRunId);
  }
}
