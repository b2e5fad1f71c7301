// Platform, protocol. Pages of a list, newest first: so many items, and from where the page before ended.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { QueryNumber } from './query-number';

/** The header that carries the cursor of the next page, when the page was full. */
export const NEXT_CURSOR = 'X-Next-Cursor';

/** For the document: an answer that carries it. */
export const PAGED = { headers: { [NEXT_CURSOR]: { schema: { type: 'string' as const } } } };

/** Where an item stands in a list that is ordered by when it was made. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

const WRONG_CURSOR = `cursor must be the value of a ${NEXT_CURSOR} header`;

/** A text that `reads` what a header of the page before said. */
export function IsCursor(reads: (text: string) => boolean): PropertyDecorator {
  const known = (value: unknown): boolean => typeof value === 'string' && reads(value);
  return ValidateBy({ name: 'isCursor', validator: { validate: known, defaultMessage: () => WRONG_CURSOR } });
}

export abstract class LimitQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 200, default: 50 })
  @IsOptional()
  @QueryNumber()
  @IsInt()
  @Min(1)
  @Max(200)
  limit?: number;
}

export class PageQuery extends LimitQuery {
  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsCursor((text) => positionOf(text) !== undefined)
  cursor?: string;

  toPage(): { limit: number; after?: Position } {
    const limit = this.limit ?? 50;
    const after = this.cursor === undefined ? undefined : positionOf(this.cursor);
    return after === undefined ? { limit } : { limit, after };
  }
}

/** Of the last item of a full page. */
export function nextCursor(items: readonly Position[], { limit }: { readonly limit: number }): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return undefined;
  return Buffer.from(`${last.createdAt.getTime()} ${last.id}`).toString('base64url');
}

/** Says in the answer where its next page begins; `response` is Express's. */
export function tellNext(
  response: { setHeader(name: string, value: string): unknown },
  cursor: string | undefined,
): void {
  if (cursor !== undefined) response.setHeader(NEXT_CURSOR, cursor);
}

function positionOf(text: string): Position | undefined {
  const [, time, id] = /^(\d{1,16}) ([\w-]{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const createdAt = new Date(Number(time));
  return id === undefined || Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id };
}
