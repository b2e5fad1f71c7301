// Outbound adapter. Runs over the port for agents.
import type { KeptIdentity } from '../domain/identity';
import { fitted, type FetchedRun, type LeaseRenewal, type RunReport } from '../domain/work';
import type { WorkServer } from '../ports/work-server';
import type { JsonServer } from './json-server';

interface FetchedBody {
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
  readonly lease_sec: number;
  readonly report_limit_bytes: number;
}

interface RenewalBody {
  readonly lease_sec: number | null;
  readonly cancelled: string | null;
}

/** Beyond what the server was asked to wait: its queue of handshakes. */
const PATIENCE_MS = 30_000;
/** A sign of life that takes longer is late anyway. */
const RENEW_WITHIN_MS = 20_000;

export class JsonWorkServer implements WorkServer {
  constructor(private readonly server: JsonServer) {}

  async fetch(
    identity: KeptIdentity,
    assistants: readonly string[],
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<FetchedRun | null> {
    const withinMs = waitSeconds * 1_000 + PATIENCE_MS;
    const body = { assistants, wait_seconds: waitSeconds };
    const run = await this.server.ask<FetchedBody>(identity, 'runs/claim', { body, withinMs, signal });
    return run === undefined ? null : toRun(run);
  }

  async renew(identity: KeptIdentity, { runId, token, leaseSeconds }: FetchedRun): Promise<LeaseRenewal> {
    const asked = { body: { run_token: token }, withinMs: Math.min(RENEW_WITHIN_MS, leaseSeconds * 1_000) };
    const renewal = await this.server.ask<RenewalBody>(identity, `runs/${encodeURIComponent(runId)}/lease`, asked);
    return { leaseSeconds: renewal?.lease_sec ?? leaseSeconds, cancelled: renewal?.cancelled ?? null };
  }

  async complete(identity: KeptIdentity, run: FetchedRun, report: RunReport): Promise<void> {
    const body = { run_token: run.token, ...toBody(fitted(report, run.reportLimitBytes)) };
    await this.server.ask(identity, `runs/${encodeURIComponent(run.runId)}/complete`, { body });
  }
}

function toRun(body: FetchedBody): FetchedRun {
  return {
    runId: body.run_id,
    token: body.run_token,
    requestId: body.request_id,
    assistantId: body.assistant,
    tenantId: body.tenant_id,
    userId: body.user_id,
    threadId: body.thread_id,
    prompt: body.prompt,
    metadata: body.metadata,
    workingFolder: body.working_folder,
    agentSession: body.agent_session,
    leaseSeconds: body.lease_sec,
    reportLimitBytes: body.report_limit_bytes,
  };
}

function toBody({ output, errorOutput, usage, ...report }: RunReport): object {
  return {
    status: report.status,
    error: report.error,
    reason: report.reason,
    retry_at: report.retryAt?.toISOString() ?? null,
    exit_code: report.exitCode,
    output: output.text,
    output_dropped_bytes: output.droppedBytes,
    error_output: errorOutput.text,
    error_output_dropped_bytes: errorOutput.droppedBytes,
    result: report.result,
    usage: usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.totalTokens,
      cost_usd: usage.costUsd,
    },
    agent_session: report.agentSession,
  };
}
