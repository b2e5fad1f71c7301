// Platform, health. What an orchestrator and a person read.
import { ApiProperty } from '@nestjs/swagger';
import type { HealthReport } from './health-indicators';

const STATUSES = ['ok', 'warn', 'fail'];
const EXAMPLE = {
  database: { status: 'ok', latency_ms: 0.8, must_have: true },
  migrations: { status: 'ok', applied: 3, missing: 0, must_have: true },
  schedule_poller: { status: 'ok', age_seconds: 1.2, must_have: true },
  time_zones: { status: 'ok', version: '2025b', must_have: true },
  clock: { status: 'ok', source: 'database', offset_ms: -3, must_have: false },
};

export class LiveResponse {
  @ApiProperty({ enum: ['ok'], example: 'ok' })
  status!: 'ok';
}

export class HealthResponse implements HealthReport {
  @ApiProperty({ enum: STATUSES, example: 'ok', description: '`fail` exactly when a must-have check fails.' })
  status!: HealthReport['status'];

  @ApiProperty({
    type: 'object',
    example: EXAMPLE,
    description: 'One entry a check: its status, whether it is a must-have, a message when it is not ok, its figures.',
    additionalProperties: {
      type: 'object',
      required: ['status', 'must_have'],
      properties: {
        status: { type: 'string', enum: STATUSES },
        must_have: { type: 'boolean' },
        message: { type: 'string' },
      },
      additionalProperties: true,
    },
  })
  checks!: HealthReport['checks'];
}
