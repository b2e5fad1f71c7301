// Inbound. What of a session may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime } from '../../platform/protocol/wire-time';
import type { AgentSession } from '../domain/agent-session';

const MOMENT = '2026-08-01T09:00:00+00:00';

export class AgentSessionResponse {
  @ApiProperty({ example: 'session-019870c2f3a47c1e8a5b0d6f2e4c9b70' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true })
  readonly thread_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly assistant_id: string | null;

  @ApiProperty({ type: 'integer', example: 3600 })
  readonly ttl_seconds: number;

  @ApiProperty({ example: MOMENT })
  readonly opened_at: string;

  @ApiProperty({ example: MOMENT, description: 'It is over then, unless it is renewed.' })
  readonly expires_at: string;

  constructor(session: AgentSession) {
    this.id = session.id;
    this.thread_id = session.threadId;
    this.assistant_id = session.assistantId;
    this.ttl_seconds = session.ttlSeconds;
    this.opened_at = wireTime(session.openedAt);
    this.expires_at = wireTime(session.expiresAt);
  }
}

export class ClosedSessionResponse {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ example: true })
  readonly closed!: true;
}
