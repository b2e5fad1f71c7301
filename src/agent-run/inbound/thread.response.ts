// Inbound. What of a thread may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime } from '../../platform/protocol/wire-time';
import type { MessageRole, Thread, ThreadMessage } from '../domain/thread';

const MOMENT = '2026-08-01T09:00:00+00:00';

export class ThreadResponse {
  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b70' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true, example: 'Release notes' })
  readonly title: string | null;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ example: MOMENT, description: 'The moment of its newest run, or of its creation.' })
  readonly updated_at: string;

  constructor(thread: Thread) {
    this.id = thread.id;
    this.title = thread.title;
    this.created_at = wireTime(thread.createdAt);
    this.updated_at = wireTime(thread.updatedAt);
  }
}

export class ThreadMessageResponse {
  @ApiProperty({ example: '42', description: 'Grows within a thread; `after` takes it.' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true, example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71' })
  readonly agent_run_id: string | null;

  @ApiProperty({ enum: ['user', 'assistant', 'system', 'tool'], example: 'assistant' })
  readonly role: MessageRole;

  @ApiProperty({ example: 'It is 9 o’clock.\n' })
  readonly content: string;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  constructor(message: ThreadMessage) {
    this.id = message.id;
    this.agent_run_id = message.agentRunId;
    this.role = message.role;
    this.content = message.content;
    this.created_at = wireTime(message.createdAt);
  }
}
