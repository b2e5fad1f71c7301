// Inbound. What is below one survey, over HTTP: its answers, their history, an export, the locks.
import { Body, Controller, Delete, Get, Inject, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { PAGED, tellNext } from '../../platform/protocol/page-query';
import { surveyCsv } from '../domain/csv';
import { ReadSurveys } from '../usecases/read-surveys';
import { UnlockField } from '../usecases/unlock-field';
import { WriteAnswer } from '../usecases/write-answer';
import { AnswerResponse, AnswerVersionResponse, UnlockedResponse } from './answer.response';
import { ExportQuery, HistoryQuery } from './list-surveys.request';
import { CLOSED, CONFLICT, FIELD_NOT_FOUND, LOCKED, NOT_YOURS, SURVEY_NOT_FOUND } from './problems';
import { SurveyExportResponse } from './survey.response';
import { WriteAnswerRequest } from './write-answer.request';

@ApiTags('Surveys')
@Controller('1.0/surveys/:id')
export class AnswersController {
  constructor(
    private readonly readSurveys: ReadSurveys,
    private readonly writeAnswer: WriteAnswer,
    private readonly unlockField: UnlockField,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Put('answers/:field_key')
  @ApiOperation({
    summary: 'Answer a field',
    description: 'Unless somebody is editing it, on the socket or the page; those who have the survey open see it.',
  })
  @ApiOkResponse({ type: AnswerResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, SURVEY_NOT_FOUND, FIELD_NOT_FOUND, NOT_YOURS, CLOSED, LOCKED, CONFLICT)
  async answer(
    @CurrentActor() actor: UserActor,
    @Param('id') surveyId: string,
    @Param('field_key') fieldKey: string,
    @Body() { value, base_version: baseVersion, op_id: opId }: WriteAnswerRequest,
  ): Promise<AnswerResponse> {
    const write = { actor, surveyId, fieldKey, value, baseVersion, opId: opId ?? null, lock: null };
    return new AnswerResponse(await this.writeAnswer.run(write, this.clock.now()));
  }

  @Get('history')
  @ApiOperation({ summary: 'Who answered what, when, and what was there before', description: 'Newest first.' })
  @ApiOkResponse({ type: [AnswerVersionResponse], ...PAGED })
  @ApiProblems(401, 422, 503, SURVEY_NOT_FOUND, FIELD_NOT_FOUND)
  async history(
    @CurrentActor() actor: UserActor,
    @Param('id') surveyId: string,
    @Query() query: HistoryQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnswerVersionResponse[]> {
    const page = query.toPage();
    const history = await this.readSurveys.history(actor, surveyId, query.field_key ?? null, page);
    const last = history.at(-1);
    if (last !== undefined && history.length === page.limit) tellNext(response, String(last.rev));
    return history.map((version) => new AnswerVersionResponse(version));
  }

  @Get('export')
  @ApiOperation({ summary: 'The answers as a file', description: 'JSON, or CSV with one line for each field.' })
  @ApiOkResponse({
    content: {
      'application/json': { schema: { $ref: getSchemaPath(SurveyExportResponse) } },
      'text/csv': { schema: { type: 'string' } },
    },
    type: SurveyExportResponse,
  })
  @ApiProblems(401, 422, 503, SURVEY_NOT_FOUND)
  async export(
    @CurrentActor() actor: UserActor,
    @Param('id') surveyId: string,
    @Query() { format = 'json' }: ExportQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SurveyExportResponse | string> {
    const detail = await this.readSurveys.detail(actor, surveyId);
    response.setHeader('Content-Disposition', `attachment; filename="${detail.survey.id}.${format}"`);
    if (format === 'json') return new SurveyExportResponse(detail, this.clock.now());
    response.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present');
    return surveyCsv(detail.survey, detail.answers);
  }

  @Delete('locks/:field_key')
  @ApiOperation({
    summary: 'Take a lock away',
    description: 'From whoever is editing the field; what they have not saved yet is refused. For owner and managers.',
  })
  @ApiOkResponse({ type: UnlockedResponse })
  @ApiProblems(401, 422, 503, SURVEY_NOT_FOUND, FIELD_NOT_FOUND, NOT_YOURS)
  async unlock(
    @CurrentActor() actor: UserActor,
    @Param('id') surveyId: string,
    @Param('field_key') fieldKey: string,
  ): Promise<UnlockedResponse> {
    return new UnlockedResponse(surveyId, fieldKey, await this.unlockField.run(actor, surveyId, fieldKey));
  }
}
