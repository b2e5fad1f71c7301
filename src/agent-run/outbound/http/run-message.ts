// Outbound, http driver. What a service is told about a run, and the signature that proves who tells it.
import { Webhook } from 'standardwebhooks';
import type { Launch } from '../../ports/assistant-driver';

export interface ReportBack {
  /** Good for this one run. */
  readonly token: string;
  readonly publicUrl: string;
}

export function runMessage(launch: Launch, { token, publicUrl }: ReportBack, now: Date): string {
  const { agentRunId, requestId, threadId, assistant, prompt, metadata, workingFolder, agentSession } = launch;
  return JSON.stringify({
    type: 'agent_run.requested',
    timestamp: now.toISOString(),
    data: {
      agent_run_id: agentRunId,
      request_id: requestId,
      thread_id: threadId,
      assistant_id: assistant.id,
      agent_session: agentSession,
      prompt,
      metadata,
      working_folder: workingFolder,
      non_interactive: true,
      timeout_seconds: assistant.timeoutSeconds,
      complete_url: `${publicUrl}/api/agent-runs/${agentRunId}/complete`,
      run_token: token,
    },
  });
}

export function cancelMessage({ agentRunId, threadId, assistant }: Launch, reason: string, now: Date): string {
  const data = { agent_run_id: agentRunId, thread_id: threadId, assistant_id: assistant.id, reason };
  return JSON.stringify({ type: 'agent_run.cancelled', timestamp: now.toISOString(), data });
}

/** The headers of Standard Webhooks. A secret `whsec_…` is base64, as that standard has it; any other is taken as it is. */
export function signed(id: string, body: string, secret: string, now: Date): Record<string, string> {
  const key = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': key.sign(id, now, body),
  };
}
