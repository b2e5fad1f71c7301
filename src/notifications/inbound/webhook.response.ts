// Inbound. Webhooks and deliveries as they leave the house: without the secret, but for the moment it is made.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { type Delivery, DELIVERY_STATES } from '../domain/delivery';
import { type Endpoint, TARGETS } from '../domain/endpoint';

export class WebhookResponse {
  @ApiProperty({ example: 'hook-0192f0c4a7de7c3bb1f0d2a4c6e80000' })
  id: string;

  @ApiProperty({ example: 'on-call' })
  name: string;

  @ApiProperty({ enum: TARGETS })
  target: string;

  @ApiProperty({ example: 'https://example.org/hooks/horarium' })
  url: string;

  @ApiProperty({ type: [String], example: ['run.failed', 'task.recovered'] })
  event_types: string[];

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the house disabled it: `failing` (nothing came through for 24 h), `gone` (answered 410).',
  })
  disabled_reason: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'No delivery has succeeded since.' })
  failing_since: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Until then the previous secret signs, too.' })
  previous_secret_until: string | null;

  @ApiProperty({ example: 'alice' })
  created_by: string;

  @ApiProperty({ example: '2026-08-01T09:00:00+00:00' })
  created_at: string;

  @ApiProperty({ example: '2026-08-01T09:00:00+00:00' })
  updated_at: string;

  constructor(endpoint: Endpoint) {
    this.id = endpoint.id;
    this.name = endpoint.name;
    this.target = endpoint.target;
    this.url = endpoint.url;
    this.event_types = [...endpoint.eventTypes];
    this.enabled = endpoint.enabled;
    this.disabled_reason = endpoint.disabledReason;
    this.failing_since = wireTimeOrNull(endpoint.failingSince);
    this.previous_secret_until = wireTimeOrNull(endpoint.previousSecretUntil);
    this.created_by = endpoint.createdBy;
    this.created_at = wireTime(endpoint.createdAt);
    this.updated_at = wireTime(endpoint.updatedAt);
  }
}

export class WebhookWithSecretResponse extends WebhookResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Checks the signatures. Shown here and never again. Null for targets that are not signed.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret: string | null;

  constructor(endpoint: Endpoint, secret: string | null) {
    super(endpoint);
    this.secret = secret;
  }
}

export class DeliveryResponse {
  @ApiProperty({ description: 'The `webhook-id` that the receiver sees.', example: 'msg_0192f0c4a7de7c3bb1f0d2a4c6e8' })
  id: string;

  @ApiProperty({ example: 'run.failed' })
  type: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { run_id: 'task-run-0192f0c4' } })
  data: Readonly<Record<string, unknown>>;

  @ApiProperty({ enum: DELIVERY_STATES })
  state: string;

  @ApiProperty({ example: 1 })
  attempts: number;

  @ApiProperty({ type: String, nullable: true })
  next_attempt_at: string | null;

  @ApiProperty({ example: '2026-08-01T09:00:00+00:00' })
  created_at: string;

  @ApiProperty({ type: String, nullable: true, description: 'When it was delivered, or given up.' })
  ended_at: string | null;

  @ApiProperty({ type: Number, nullable: true, description: 'The status of the last answer.', example: 200 })
  last_status: number | null;

  @ApiProperty({ type: String, nullable: true })
  last_error: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The beginning of the last answer.' })
  last_answer: string | null;

  @ApiProperty({ type: Number, nullable: true, example: 84 })
  last_duration_ms: number | null;

  constructor(delivery: Delivery) {
    this.id = delivery.id;
    this.type = delivery.type;
    this.data = delivery.payload;
    this.state = delivery.state;
    this.attempts = delivery.attempts;
    this.next_attempt_at = wireTimeOrNull(delivery.nextAttemptAt);
    this.created_at = wireTime(delivery.createdAt);
    this.ended_at = wireTimeOrNull(delivery.endedAt);
    this.last_status = delivery.lastStatus;
    this.last_error = delivery.lastError;
    this.last_answer = delivery.lastAnswer;
    this.last_duration_ms = delivery.lastDurationMs;
  }
}

export class ReplayedResponse {
  @ApiProperty({ description: 'How many parked deliveries wait to be sent again.', example: 12 })
  replayed!: number;
}
