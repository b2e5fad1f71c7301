// Inbound. Wire shape of the query of GET /api/threads/{id}/messages.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';

export class ListMessagesQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  readonly limit?: number;

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
