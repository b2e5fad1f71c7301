// Inbound. Wire shape of the query of GET /api/threads/{id}/messages.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { LimitQuery } from '../../platform/protocol/page-query';

export class ListMessagesQuery extends LimitQuery {
  @ApiPropertyOptional({
    example: '42',
    description: 'The id of the last message that you have; from the beginning without it.',
  })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'after must be the id of a message' })
  readonly after?: string;

  toPage(): { limit: number; after: string | null } {
    return { limit: this.limit ?? 50, after: this.after ?? null };
  }
}
