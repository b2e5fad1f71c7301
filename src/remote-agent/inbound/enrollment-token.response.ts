import { ApiProperty } from '@nestjs/swagger';
import { wireTime } from '../../platform/protocol/wire-time';
import type { EnrollmentToken } from '../domain/enrollment-token';

const TIME = { type: String, format: 'date-time', example: '2026-08-01T09:00:00+00:00' } as const;

export class EnrollmentTokenResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: 'alice' })
  created_by: string;

  @ApiProperty(TIME)
  created_at: string;

  @ApiProperty(TIME)
  expires_at: string;

  @ApiProperty({ example: 1 })
  max_uses: number;

  @ApiProperty({ example: 0 })
  uses: number;

  @ApiProperty({ type: String, nullable: true, description: 'Bound to this agent.' })
  agent_id: string | null;

  @ApiProperty({ type: [String], example: ['linux'] })
  labels: string[];

  constructor(token: EnrollmentToken) {
    this.id = token.id;
    this.created_by = token.createdBy;
    this.created_at = wireTime(token.createdAt);
    this.expires_at = wireTime(token.expiresAt);
    this.max_uses = token.maxUses;
    this.uses = token.uses;
    this.agent_id = token.agentId;
    this.labels = [...token.labels];
  }
}

export class CreatedEnrollmentTokenResponse extends EnrollmentTokenResponse {
  @ApiProperty({ description: 'Shown here, and never again.', example: 'hzt_0123456789abcdefghijklmnopqrstuv' })
  token: string;

  constructor(token: EnrollmentToken, secret: string) {
    super(token);
    this.token = secret;
  }
}

export class WithdrawnResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: true })
  withdrawn!: boolean;
}
