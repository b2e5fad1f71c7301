// Inbound. Pages of the lists of this feature, newest first, by the cursor of the page before.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';
import { CursorInvalidError } from '../domain/errors';

export const NEXT_CURSOR = 'X-Next-Cursor';
export const PAGED = { headers: { [NEXT_CURSOR]: { schema: { type: 'string' as const } } } };

export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

export class PageQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;

  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsString()
  cursor?: string;

  toPage(): { limit: number; after?: Position } {
    const limit = this.limit ?? 50;
    return this.cursor === undefined ? { limit } : { limit, after: readCursor(this.cursor) };
  }
}

/** Of the last item of a full page. */
export function nextCursor(items: readonly Position[], limit: number): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return undefined;
  return Buffer.from(`${last.createdAt.getTime()} ${last.id}`).toString('base64url');
}

function readCursor(text: string): Position {
  const [, time, id] = /^(\d{1,16}) ([\w-]{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const createdAt = new Date(Number(time));
  if (id === undefined || Number.isNaN(createdAt.getTime())) throw new CursorInvalidError();
  return { createdAt, id };
}
