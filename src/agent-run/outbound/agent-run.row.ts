// Outbound. How an agent run is stored, column by column, both ways.
import { AgentRun, isEnd, type AgentRunStatus } from '../domain/agent-run';
import type { RunEnd } from '../domain/run-end';

export interface AgentRunRow {
  id: string;
  request_id: string;
  tenant_id: number;
  user_id: string;
  thread_id: string;
  assistant_id: string;
  instance_id: string | null;
  status: AgentRunStatus;
  metadata: Record<string, string>;
  working_folder: string | null;
  prompt: string;
  error: string | null;
  exit_code: number | null;
  output: string | null;
  /** bigint: arrives as text. */
  output_dropped_bytes: string;
  error_output: string | null;
  error_output_dropped_bytes: string;
  cancel_requested_at: Date | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export function toAgentRun(row: AgentRunRow): AgentRun {
  return AgentRun.restore({
    id: row.id,
    requestId: row.request_id,
    owner: { tenantId: row.tenant_id, userId: row.user_id },
    threadId: row.thread_id,
    assistantId: row.assistant_id,
    prompt: row.prompt,
    metadata: row.metadata,
    workingFolder: row.working_folder,
    instanceId: row.instance_id,
    status: row.status,
    end: isEnd(row.status) ? endOf(row, row.status) : null,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    cancelRequestedAt: row.cancel_requested_at,
  });
}

function endOf(row: AgentRunRow, status: RunEnd['status']): RunEnd {
  return {
    status,
    error: row.error,
    exitCode: row.exit_code,
    output: { text: row.output ?? '', droppedBytes: Number(row.output_dropped_bytes) },
    errorOutput: { text: row.error_output ?? '', droppedBytes: Number(row.error_output_dropped_bytes) },
  };
}

/** One array for each column, as `unnest` takes them. */
export function openingColumns(runs: readonly AgentRun[]): unknown[] {
  const fields = runs.map((run) => run.fields);
  return [
    fields.map(({ id }) => id),
    fields.map(({ requestId }) => requestId),
    fields.map(({ owner }) => owner.tenantId),
    fields.map(({ owner }) => owner.userId),
    fields.map(({ threadId }) => threadId),
    fields.map(({ assistantId }) => assistantId),
    fields.map(({ instanceId }) => instanceId),
    fields.map(({ metadata }) => JSON.stringify(metadata)),
    fields.map(({ workingFolder }) => workingFolder),
    fields.map(({ prompt }) => prompt),
    fields.map(({ createdAt }) => createdAt),
  ];
}

export function endColumns(runs: readonly AgentRun[]): unknown[] {
  const ends = runs.map(({ fields }) => fields);
  return [
    ends.map(({ id }) => id),
    ends.map(({ status }) => status),
    ends.map(({ startedAt }) => startedAt),
    ends.map(({ finishedAt }) => finishedAt),
    ends.map(({ end }) => end?.error ?? null),
    ends.map(({ end }) => end?.exitCode ?? null),
    ends.map(({ end }) => end?.output.text ?? ''),
    ends.map(({ end }) => end?.output.droppedBytes ?? 0),
    ends.map(({ end }) => end?.errorOutput.text ?? ''),
    ends.map(({ end }) => end?.errorOutput.droppedBytes ?? 0),
  ];
}
