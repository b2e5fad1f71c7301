// Inbound. Wire shape of POST /api/agent-sessions.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString } from 'class-validator';
import { SESSION_TTL } from '../domain/agent-session';
import type { OpenSessionInput } from '../usecases/agent-sessions';

export class OpenSessionRequest {
  @ApiPropertyOptional({ type: String, nullable: true, description: 'The conversation that goes on in it.' })
  @IsOptional()
  @IsString()
  readonly thread_id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Who speaks in it.' })
  @IsOptional()
  @IsString()
  readonly assistant_id?: string | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: SESSION_TTL.least,
    maximum: SESSION_TTL.most,
    default: SESSION_TTL.usual,
    example: 600,
    description: 'It is over when nobody has renewed it for so long.',
  })
  @IsOptional()
  @IsInt()
  readonly ttl_seconds?: number | null;

  toInput(): OpenSessionInput {
    const { thread_id: threadId, assistant_id: assistantId, ttl_seconds: ttl } = this;
    return { threadId: threadId ?? null, assistantId: assistantId ?? null, ttlSeconds: ttl ?? null };
  }
}
