// Inbound. What of an agent run may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { STATUSES, type AgentRun, type AgentRunStatus } from '../domain/agent-run';
import { answerOf, END_REASONS, NOTHING_CAPTURED, type EndReason } from '../domain/run-end';
import type { Usage } from '../domain/usage';

const MOMENT = '2026-08-01T09:00:00+00:00';

export class UsageResponse {
  @ApiProperty({ type: 'integer', nullable: true, example: 1200 })
  readonly input_tokens: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 300 })
  readonly output_tokens: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 1500 })
  readonly total_tokens: number | null;

  @ApiProperty({ type: Number, nullable: true, example: 0.012 })
  readonly cost_usd: number | null;

  constructor({ inputTokens, outputTokens, totalTokens, costUsd }: Usage) {
    this.input_tokens = inputTokens;
    this.output_tokens = outputTokens;
    this.total_tokens = totalTokens;
    this.cost_usd = costUsd;
  }
}

export class AgentRunResponse {
  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71' })
  readonly id: string;

  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b70' })
  readonly thread_id: string;

  @ApiProperty({ example: 'default' })
  readonly assistant_id: string;

  @ApiProperty({ enum: STATUSES, example: 'success' })
  readonly status: AgentRunStatus;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Why it did not succeed, in one sentence.' })
  readonly error: string | null;

  @ApiProperty({
    enum: END_REASONS,
    nullable: true,
    example: null,
    description: 'With an error that somebody can do something about: try again later, or answer a question.',
  })
  readonly reason: EndReason | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 0,
    description: 'Of a program; null: it has none yet, or was killed.',
  })
  readonly exit_code: number | null;

  @ApiProperty({
    type: UsageResponse,
    nullable: true,
    description: 'Tokens and cost, where the agent reports them; null: it does not, or the run goes on.',
  })
  readonly usage: UsageResponse | null;

  @ApiProperty({ type: Number, nullable: true, example: 12.5, description: 'How long it worked; null: not over yet.' })
  readonly seconds: number | null;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ type: String, nullable: true, example: MOMENT, description: 'null: it waits, or has never started.' })
  readonly started_at: string | null;

  @ApiProperty({ type: String, nullable: true, example: MOMENT })
  readonly finished_at: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Since when it is asked to end.' })
  readonly cancel_requested_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Its agent was told to slow down (rate limit): it waits, and is started again then.',
  })
  readonly retry_at: string | null;

  @ApiProperty({ type: 'integer', example: 1 })
  readonly attempt: number;

  constructor({ fields }: AgentRun) {
    this.id = fields.id;
    this.thread_id = fields.threadId;
    this.assistant_id = fields.assistantId;
    this.status = fields.status;
    this.error = fields.end?.error ?? null;
    this.reason = fields.end?.reason ?? null;
    this.exit_code = fields.end?.exitCode ?? null;
    const used = fields.end?.usage ?? null;
    this.usage = used === null ? null : new UsageResponse(used);
    const [from, to] = [fields.startedAt, fields.finishedAt];
    this.seconds = from === null || to === null ? null : Math.max(0, to.getTime() - from.getTime()) / 1_000;
    this.created_at = wireTime(fields.createdAt);
    this.started_at = wireTimeOrNull(fields.startedAt);
    this.finished_at = wireTimeOrNull(fields.finishedAt);
    this.cancel_requested_at = wireTimeOrNull(fields.cancelRequestedAt);
    this.retry_at = wireTimeOrNull(fields.retryAt);
    this.attempt = fields.attempt;
  }
}

/** With all that was said. */
export class AgentRunDetailResponse extends AgentRunResponse {
  @ApiProperty({ example: 'What time is it?' })
  readonly prompt: string;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'null: the thread’s own folder.' })
  readonly working_folder: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { scheduled_task_id: 'task-019870c2f3a47c1e8a5b0d6f2e4c9b71', scheduled_trigger: 'scheduled' },
    description: 'What the starter of the run wanted the agent to know.',
  })
  readonly metadata: Readonly<Record<string, string>>;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'It is 9 o’clock.',
    description: 'The answer: what the agent says is its result, else its output. null until the run has ended.',
  })
  readonly result: string | null;

  @ApiProperty({
    example: 'It is 9 o’clock.\n',
    description: 'All that the agent printed. Empty until the run has ended.',
  })
  readonly output: string;

  @ApiProperty({ example: false, description: 'Whether the output was longer than what is kept.' })
  readonly output_truncated: boolean;

  @ApiProperty({ type: 'integer', example: 0, description: 'How many bytes came after the cut.' })
  readonly output_dropped_bytes: number;

  @ApiProperty({ example: '', description: 'Error output: what the program said on the way.' })
  readonly stderr: string;

  @ApiProperty({ example: false })
  readonly stderr_truncated: boolean;

  @ApiProperty({ type: 'integer', example: 0 })
  readonly stderr_dropped_bytes: number;

  constructor(run: AgentRun) {
    super(run);
    const { prompt, workingFolder, metadata, end } = run.fields;
    const { output, errorOutput } = end ?? { output: NOTHING_CAPTURED, errorOutput: NOTHING_CAPTURED };
    this.prompt = prompt;
    this.working_folder = workingFolder;
    this.metadata = metadata;
    this.result = end === null ? null : answerOf(end);
    this.output = output.text;
    this.output_truncated = output.droppedBytes > 0;
    this.output_dropped_bytes = output.droppedBytes;
    this.stderr = errorOutput.text;
    this.stderr_truncated = errorOutput.droppedBytes > 0;
    this.stderr_dropped_bytes = errorOutput.droppedBytes;
  }
}
