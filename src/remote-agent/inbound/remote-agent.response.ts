import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { AgentCounts, RemoteAgent } from '../domain/agent';

const TIME = { type: String, format: 'date-time', nullable: true, example: '2026-08-01T09:00:00+00:00' } as const;

export class AgentResponse {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: 'build-7' })
  name: string;

  @ApiProperty({ example: '0.1.0' })
  version: string;

  @ApiProperty({ type: [String], example: ['linux'] })
  labels: string[];

  @ApiProperty({ description: 'Heard of within the threshold, by the clock of the database.', example: true })
  is_online: boolean;

  @ApiProperty({ ...TIME, description: 'By the clock of the server.' })
  last_seen_at: string | null;

  @ApiProperty({ type: Number, nullable: true, description: "How far the agent's clock is ahead, in milliseconds." })
  clock_skew_ms: number | null;

  @ApiProperty({ ...TIME, description: 'Set: it is let in no more.' })
  disabled_at: string | null;

  @ApiProperty({ ...TIME, description: 'Set: somebody tried to renew with a copy of its key.' })
  suspected_clone_at: string | null;

  @ApiProperty({ ...TIME, description: 'The end of its newest certificate, unless it renews.' })
  certificate_expires_at: string | null;

  @ApiProperty({ ...TIME, nullable: false })
  created_at: string;

  constructor(agent: RemoteAgent) {
    this.id = agent.id;
    this.name = agent.name;
    this.version = agent.version;
    this.labels = [...agent.labels];
    this.is_online = agent.isOnline;
    this.last_seen_at = wireTimeOrNull(agent.lastSeenAt);
    this.clock_skew_ms = agent.clockSkewMs;
    this.disabled_at = wireTimeOrNull(agent.disabledAt);
    this.suspected_clone_at = wireTimeOrNull(agent.suspectedCloneAt);
    this.certificate_expires_at = wireTimeOrNull(agent.certificateExpiresAt);
    this.created_at = wireTime(agent.createdAt);
  }
}

export class AgentCountsResponse {
  @ApiProperty({ example: 12 })
  total: number;

  @ApiProperty({ example: 10 })
  online: number;

  @ApiProperty({ example: 1 })
  offline: number;

  @ApiProperty({ example: 1 })
  disabled: number;

  @ApiProperty({ example: 0 })
  suspected_clones: number;

  @ApiProperty({ description: 'Whose certificate ends within a day.', example: 0 })
  expiring_soon: number;

  constructor(counts: AgentCounts) {
    this.total = counts.total;
    this.online = counts.online;
    this.offline = counts.offline;
    this.disabled = counts.disabled;
    this.suspected_clones = counts.suspectedClones;
    this.expiring_soon = counts.expiringSoon;
  }
}

export class RevokedResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 1 })
  revoked_certificates!: number;
}

export class DeletedAgentResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: true })
  deleted!: boolean;
}
