// Inbound. What an agent learns of a run that it has fetched, and of its lease.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { ClaimedRun, Renewal } from '../domain/outside-run';

const MOMENT = '2026-08-01T09:00:00+00:00';

export class ClaimedRunResponse {
  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71' })
  readonly agent_run_id: string;

  @ApiProperty({
    example: 'hrt_…',
    description: 'Proves that the run is yours: as Bearer token for heartbeat and complete.',
  })
  readonly run_token: string;

  @ApiProperty({
    example: 'task-run-019870c2f3a47c1e8a5b0d6f2e4c9b72',
    description: 'The same for every attempt at this run.',
  })
  readonly request_id: string;

  @ApiProperty({ example: 'reviewer' })
  readonly assistant_id: string;

  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b70' })
  readonly thread_id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'What you called the conversation on this thread.',
  })
  readonly agent_session: string | null;

  @ApiProperty({ example: 'Review what was merged since yesterday.' })
  readonly prompt: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { scheduled_trigger: 'scheduled' },
  })
  readonly metadata: Readonly<Record<string, string>>;

  @ApiProperty({ type: String, nullable: true, example: null })
  readonly working_folder: string | null;

  @ApiProperty({ example: MOMENT, description: 'Give a sign of life before this moment: POST …/heartbeat.' })
  readonly lease_expires_at: string;

  @ApiProperty({ example: MOMENT, description: 'Then the run is over, finished or not.' })
  readonly give_up_at: string;

  @ApiProperty({ type: 'integer', example: 1, description: '2: another agent had it before, and was lost.' })
  readonly attempt: number;

  constructor(run: ClaimedRun) {
    this.agent_run_id = run.agentRunId;
    this.run_token = run.token;
    this.request_id = run.requestId;
    this.assistant_id = run.assistantId;
    this.thread_id = run.threadId;
    this.agent_session = run.agentSession;
    this.prompt = run.prompt;
    this.metadata = run.metadata;
    this.working_folder = run.workingFolder;
    this.lease_expires_at = wireTime(run.leaseExpiresAt);
    this.give_up_at = wireTime(run.giveUpAt);
    this.attempt = run.attempt;
  }
}

export class LeaseRenewalResponse {
  @ApiProperty({ type: String, nullable: true, example: MOMENT })
  readonly lease_expires_at: string | null;

  @ApiProperty({ example: MOMENT })
  readonly give_up_at: string;

  @ApiProperty({ example: false, description: 'Somebody wants the run to end: stop, and complete it.' })
  readonly cancelled: boolean;

  @ApiProperty({ type: String, nullable: true, example: null })
  readonly cancel_reason: string | null;

  constructor({ leaseExpiresAt, giveUpAt, cancelled }: Renewal) {
    this.lease_expires_at = wireTimeOrNull(leaseExpiresAt);
    this.give_up_at = wireTime(giveUpAt);
    this.cancelled = cancelled !== null;
    this.cancel_reason = cancelled;
  }
}

export class CompletedResponse {
  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71' })
  readonly id: string;

  @ApiProperty({ example: true })
  readonly completed: boolean = true;

  constructor(id: string) {
    this.id = id;
  }
}
