// Inbound. Wire shape of the query of GET /api/agent-runs.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { LimitQuery } from '../../platform/protocol/page-query';
import { QueryNumber } from '../../platform/protocol/query-number';

export class ListAgentRunsQuery extends LimitQuery {
  @ApiProperty({ example: '019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b70' })
  @IsString()
  readonly thread_id!: string;

  @ApiPropertyOptional({ minimum: 0, default: 0 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  readonly offset?: number;

  toPage(): { limit: number; offset: number } {
    return { limit: this.limit ?? 50, offset: this.offset ?? 0 };
  }
}
