// Inbound. Wire shapes of the queries of lists, histories and exports, and their cursors.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { QueryNumber } from '../../platform/protocol/query-number';
import { InvalidSurveyError } from '../domain/errors';
import type { HistoryPage, SurveyFilter, SurveyPage } from '../domain/listing';
import { SURVEY_STATUSES, type SurveyStatus } from '../domain/survey';

/** The header that carries the cursor of the next page, when the page was full. */
export const NEXT_CURSOR = 'X-Next-Cursor';

abstract class PageQuery {
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
}

export class ListSurveysQuery extends PageQuery {
  @ApiPropertyOptional({ enum: SURVEY_STATUSES })
  @IsOptional()
  @IsIn(SURVEY_STATUSES)
  status?: SurveyStatus;

  @ApiPropertyOptional({ description: 'Found in the title, without regard to case.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  q?: string;

  toFilter(): SurveyFilter {
    return { status: this.status, text: this.q === '' ? undefined : this.q };
  }

  toPage(): SurveyPage {
    return { limit: this.limit ?? 50, after: this.cursor === undefined ? null : readCursor(this.cursor) };
  }
}

export class HistoryQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Of one field; of all without it.', example: 'launch_day' })
  @IsOptional()
  @Matches(/^[a-z][a-z0-9_]{0,63}$/, { message: 'field_key must be the key of a field' })
  field_key?: string;

  toPage(): HistoryPage {
    const { cursor } = this;
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw wrongCursor();
    return { limit: this.limit ?? 50, before: cursor === undefined ? null : Number(cursor) };
  }
}

export class ExportQuery {
  @ApiPropertyOptional({ enum: ['json', 'csv'], default: 'json' })
  @IsOptional()
  @IsIn(['json', 'csv'])
  format?: 'json' | 'csv';
}

/** Of the last item of a full page. */
export function nextCursor(
  items: readonly { readonly createdAt: Date; readonly id: string }[],
  { limit }: SurveyPage,
): string | undefined {
  const last = items.at(-1);
  if (last === undefined || items.length < limit) return undefined;
  return Buffer.from(`${last.createdAt.getTime()} ${last.id}`).toString('base64url');
}

function readCursor(text: string): { createdAt: Date; id: string } {
  const [, time, id] = /^(\d{1,16}) ([\w-]{1,80})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const createdAt = new Date(Number(time));
  if (id === undefined || Number.isNaN(createdAt.getTime())) throw wrongCursor();
  return { createdAt, id };
}

function wrongCursor(): InvalidSurveyError {
  return new InvalidSurveyError('cursor', `cursor must be the value of a ${NEXT_CURSOR} header.`);
}
