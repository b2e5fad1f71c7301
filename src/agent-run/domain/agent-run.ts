// Domain. One execution of a prompt on a thread by an assistant. Knows nothing of tasks: what a task wants to find
// again travels as `metadata`.
import type { Owner } from '../../kernel/actor';
import { AgentRunEndedError } from './errors';
import { ENDED, unspoken, type EndStatus, type RunEnd } from './run-end';

/** `queued` waits for its thread, `starting` is about to be executed (or waits for the assistant), then `running`. */
export const STATUSES = ['queued', 'starting', 'running', ...ENDED] as const;
export type AgentRunStatus = (typeof STATUSES)[number];

export interface AgentRunFields {
  readonly id: string;
  /** Who asks twice with one request id gets one run. */
  readonly requestId: string;
  readonly owner: Owner;
  readonly threadId: string;
  readonly assistantId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly workingFolder: string | null;
  /** Part of a turn: the run whose execution this is one of the prompts of. Null: it is executed itself. */
  readonly turnOf: string | null;
  /** The process that holds the run; another one may settle it when that process is dead. */
  readonly instanceId: string | null;
  readonly status: AgentRunStatus;
  readonly end: RunEnd | null;
  readonly createdAt: Date;
  /** The instant just before the driver's start call; null for a run that never came so far. */
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  /** It waits, held by no process, and is started again then: its agent was told to slow down. */
  readonly retryAt: Date | null;
  /** Grows with each further attempt. */
  readonly attempt: number;
}

/** What others learn of a run: everything but what was said. */
export interface AgentRunSummary {
  readonly id: string;
  readonly requestId: string;
  readonly threadId: string;
  readonly status: AgentRunStatus;
  readonly error: string | null;
  /** Its end was concluded, and may be corrected. */
  readonly presumed: boolean;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export type NewAgentRun = Pick<
  AgentRunFields,
  'id' | 'requestId' | 'owner' | 'threadId' | 'assistantId' | 'prompt' | 'metadata' | 'workingFolder' | 'instanceId'
> &
  Partial<Pick<AgentRunFields, 'turnOf'>>;

/** Bounds for agents that are always told to slow down, or to come again next year. */
export const MOST_ATTEMPTS = 10;
const LONGEST_RETRY_MS = 24 * 3_600_000;
const SHORTEST_RETRY_MS = 1_000;

/** Immutable: every step answers with the run as it is afterwards. */
export class AgentRun {
  private constructor(readonly fields: AgentRunFields) {}

  /** A run that will be executed now, or as soon as its assistant has a free place. */
  static open(run: NewAgentRun, now: Date): AgentRun {
    return new AgentRun({
      turnOf: null,
      ...run,
      status: 'starting',
      end: null,
      createdAt: now,
      startedAt: null,
      finishedAt: null,
      cancelRequestedAt: null,
      retryAt: null,
      attempt: 1,
    });
  }

  /** The same, to be executed when its thread is idle. In nobody's hands until then. */
  asQueued(): AgentRun {
    return this.with({ status: 'queued', instanceId: null, turnOf: null });
  }

  static restore(fields: AgentRunFields): AgentRun {
    return new AgentRun(fields);
  }

  get id(): string {
    return this.fields.id;
  }

  get status(): AgentRunStatus {
    return this.fields.status;
  }

  get ended(): boolean {
    return isEnd(this.fields.status);
  }

  /** Another process goes on with it. */
  takenOverBy(instanceId: string): AgentRun {
    this.mustBeOpen();
    return this.with({ instanceId });
  }

  started(at: Date): AgentRun {
    this.mustBeOpen();
    return this.with({ status: 'running', startedAt: at });
  }

  /** When to try again what ended so; null: it stays an end. */
  nextAttempt({ reason, retryAt }: RunEnd, now: Date): Date | null {
    if (reason !== 'rate_limited' || retryAt === null || this.fields.cancelRequestedAt !== null) return null;
    const waitMs = retryAt.getTime() - now.getTime();
    if (this.fields.attempt >= MOST_ATTEMPTS || waitMs > LONGEST_RETRY_MS) return null;
    return new Date(now.getTime() + Math.max(waitMs, SHORTEST_RETRY_MS));
  }

  waitingUntil(retryAt: Date): AgentRun {
    this.mustBeOpen();
    return this.with({ status: 'running', instanceId: null, retryAt, attempt: this.fields.attempt + 1 });
  }

  triedAgainBy(instanceId: string): AgentRun {
    this.mustBeOpen();
    return this.with({ status: 'starting', instanceId, retryAt: null });
  }

  /** A run may end without ever having started: refused by its driver, or cancelled while it waited. */
  endedWith(end: RunEnd, at: Date): AgentRun {
    this.mustBeOpen();
    return this.with({ status: end.status, end, finishedAt: at });
  }

  /** How it ended, without what its agent said: that is counted as not kept. */
  withoutWords(): AgentRun {
    const { end } = this.fields;
    return end === null ? this : this.with({ end: unspoken(end) });
  }

  /** The true end, of a run whose end was concluded from a silence. */
  correctedBy(end: RunEnd, at: Date): AgentRun {
    if (this.fields.end?.presumed !== true) throw new AgentRunEndedError(this.fields.id, this.fields.status);
    return this.with({ status: end.status, end, finishedAt: at });
  }

  /** Asking again changes nothing: the first moment counts. */
  cancelRequested(at: Date): AgentRun {
    this.mustBeOpen();
    return this.with({ cancelRequestedAt: this.fields.cancelRequestedAt ?? at });
  }

  summary(): AgentRunSummary {
    const { id, requestId, threadId, status, end, startedAt, finishedAt } = this.fields;
    const { error = null, presumed = false } = end ?? {};
    return { id, requestId, threadId, status, error, presumed, startedAt, finishedAt };
  }

  private mustBeOpen(): void {
    if (this.ended) throw new AgentRunEndedError(this.fields.id, this.fields.status);
  }

  private with(changes: Partial<AgentRunFields>): AgentRun {
    return new AgentRun({ ...this.fields, ...changes });
  }
}

export function isEnd(status: AgentRunStatus): status is EndStatus {
  return (ENDED as readonly string[]).includes(status);
}
