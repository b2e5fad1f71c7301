// Inbound. Wire shapes of the queries of lists, histories and exports, and their cursors.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { IsCursor, LimitQuery, NEXT_CURSOR, PageQuery } from '../../platform/protocol/page-query';
import type { HistoryPage, SurveyFilter } from '../domain/listing';
import { SURVEY_STATUSES, type SurveyStatus } from '../domain/survey';

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
}

export class HistoryQuery extends LimitQuery {
  @ApiPropertyOptional({ description: `From the ${NEXT_CURSOR} header of the page before.` })
  @IsOptional()
  @IsCursor((text) => /^\d{1,15}$/.test(text))
  cursor?: string;

  @ApiPropertyOptional({ description: 'Of one field; of all without it.', example: 'launch_day' })
  @IsOptional()
  @Matches(/^[a-z][a-z0-9_]{0,63}$/, { message: 'field_key must be the key of a field' })
  field_key?: string;

  toPage(): HistoryPage {
    const { cursor } = this;
    return { limit: this.limit ?? 50, before: cursor === undefined ? null : Number(cursor) };
  }
}

export class ExportQuery {
  @ApiPropertyOptional({ enum: ['json', 'csv'], default: 'json' })
  @IsOptional()
  @IsIn(['json', 'csv'])
  format?: 'json' | 'csv';
}
