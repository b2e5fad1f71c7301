// Inbound. Pages of a list ordered newest first: by limit and offset, or by the cursor of the page before.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { PageQuery } from '../../platform/protocol/page-query';
import { QueryNumber } from '../../platform/protocol/query-number';
import type { PageRequest } from '../domain/listing';

export class PageOrOffsetQuery extends PageQuery {
  @ApiPropertyOptional({ minimum: 0, default: 0, description: 'Without a cursor: so many are passed over.' })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  offset?: number;

  override toPage(): PageRequest {
    const page = super.toPage();
    return { ...page, offset: page.after === undefined ? (this.offset ?? 0) : 0 };
  }
}
