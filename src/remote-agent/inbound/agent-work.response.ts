// Inbound. What agents are told of runs. Spans in seconds beside the moments: an agent's clock may be wrong.
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { FetchedWork, WorkRenewal } from '../domain/work';

export class FetchedWorkResponse {
  readonly run_id: string;
  readonly run_token: string;
  readonly request_id: string;
  readonly assistant: string;
  readonly tenant_id: number;
  readonly user_id: string;
  readonly thread_id: string;
  readonly agent_session: string | null;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly working_folder: string | null;
  readonly attempt: number;
  readonly lease_expires_at: string;
  /** A sign of life within so many seconds keeps the run. */
  readonly lease_sec: number;
  readonly give_up_at: string;
  /** How long the report of its end may be, as JSON. */
  readonly report_limit_bytes: number;

  constructor(work: FetchedWork, now: Date, reportLimitBytes: number) {
    this.run_id = work.runId;
    this.run_token = work.token;
    this.request_id = work.requestId;
    this.assistant = work.assistantId;
    this.tenant_id = work.tenantId;
    this.user_id = work.userId;
    this.thread_id = work.threadId;
    this.agent_session = work.agentSession;
    this.prompt = work.prompt;
    this.metadata = work.metadata;
    this.working_folder = work.workingFolder;
    this.attempt = work.attempt;
    this.lease_expires_at = wireTime(work.leaseExpiresAt);
    this.lease_sec = secondsUntil(work.leaseExpiresAt, now);
    this.give_up_at = wireTime(work.giveUpAt);
    this.report_limit_bytes = reportLimitBytes;
  }
}

export class WorkRenewalResponse {
  readonly lease_expires_at: string | null;
  readonly lease_sec: number | null;
  readonly give_up_at: string;
  /** Null: go on. */
  readonly cancelled: string | null;

  constructor({ leaseExpiresAt, giveUpAt, cancelled }: WorkRenewal, now: Date) {
    this.lease_expires_at = wireTimeOrNull(leaseExpiresAt);
    this.lease_sec = leaseExpiresAt === null ? null : secondsUntil(leaseExpiresAt, now);
    this.give_up_at = wireTime(giveUpAt);
    this.cancelled = cancelled;
  }
}

function secondsUntil(moment: Date, now: Date): number {
  return Math.max(0, Math.round((moment.getTime() - now.getTime()) / 100) / 10);
}
