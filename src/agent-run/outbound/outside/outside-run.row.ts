// Outbound. How a run that an agent outside executes is stored.
import type { RunEnd } from '../../domain/run-end';
import type { ClaimedRun } from '../../domain/outside-run';

export interface ClaimedRow {
  agent_run_id: string;
  request_id: string;
  tenant_id: number;
  user_id: string;
  assistant_id: string;
  thread_id: string;
  prompt: string;
  metadata: Record<string, string>;
  working_folder: string | null;
  agent_session: string | null;
  lease_expires_at: Date;
  give_up_at: Date;
  tries: number;
}

export interface RenewedRow {
  lease_expires_at: Date | null;
  give_up_at: Date;
  cancel_reason: string | null;
}

export interface FollowedRow {
  agent_run_id: string;
  /** As JSON: its moments are texts. What stands in it is what the house itself has written. */
  report: (Partial<Omit<RunEnd, 'retryAt'>> & { readonly retryAt?: string | null }) | null;
  cancel_reason: string | null;
  /** Until the next moment that somebody must look after; null when it is over. */
  due_in_ms: number | null;
}

export function toClaimedRun(row: ClaimedRow, token: string): ClaimedRun {
  return {
    agentRunId: row.agent_run_id,
    token,
    requestId: row.request_id,
    owner: { tenantId: row.tenant_id, userId: row.user_id },
    assistantId: row.assistant_id,
    threadId: row.thread_id,
    prompt: row.prompt,
    metadata: row.metadata,
    workingFolder: row.working_folder,
    agentSession: row.agent_session,
    leaseExpiresAt: row.lease_expires_at,
    giveUpAt: row.give_up_at,
    attempt: row.tries,
  };
}
