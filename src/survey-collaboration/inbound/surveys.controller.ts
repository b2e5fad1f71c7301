// Inbound. Surveys over HTTP. Reads the clock once for each request; holds no rule. Filling one together with others is
// fill-survey.gateway.ts; answers.controller.ts has what is below one survey.
import { Body, Controller, Delete, Get, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { ChangeSurvey } from '../usecases/change-survey';
import { CreateSurvey } from '../usecases/create-survey';
import { DeleteSurvey } from '../usecases/delete-survey';
import { ReadSurveys } from '../usecases/read-surveys';
import { CreateSurveyRequest } from './create-survey.request';
import { ListSurveysQuery } from './list-surveys.request';
import { ANSWERED, NOT_YOURS, SURVEY_NOT_FOUND } from './problems';
import { SurveyDeletedResponse, SurveyDetailResponse, SurveyResponse } from './survey.response';
import { UpdateSurveyRequest } from './update-survey.request';

@ApiTags('Surveys')
@Controller('1.0/surveys')
export class SurveysController {
  constructor(
    private readonly createSurvey: CreateSurvey,
    private readonly changeSurvey: ChangeSurvey,
    private readonly deleteSurvey: DeleteSurvey,
    private readonly readSurveys: ReadSurveys,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Draw up a survey', description: 'You own it; its members may fill it together.' })
  @ApiCreatedResponse({ type: SurveyResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  async create(@CurrentActor() actor: UserActor, @Body() request: CreateSurveyRequest): Promise<SurveyResponse> {
    return new SurveyResponse(await this.createSurvey.run(actor, request.toInput(), this.clock.now()));
  }

  @Get()
  @ApiOperation({ summary: 'Surveys that you may fill', description: 'Newest first, without answers.' })
  @ApiOkResponse({ type: [SurveyResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListSurveysQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SurveyResponse[]> {
    const page = query.toPage();
    const surveys = await this.readSurveys.list(actor, query.toFilter(), page);
    tellNext(response, nextCursor(surveys, page));
    return surveys.map((survey) => new SurveyResponse(survey));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One survey, with its answers and who is at which field' })
  @ApiOkResponse({ type: SurveyDetailResponse })
  @ApiProblems(401, 422, 503, SURVEY_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<SurveyDetailResponse> {
    return new SurveyDetailResponse(await this.readSurveys.detail(actor, id));
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change, close or reopen a survey',
    description: 'What is absent stays. Closing takes all locks away. For its owner and managers.',
  })
  @ApiOkResponse({ type: SurveyResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, SURVEY_NOT_FOUND, NOT_YOURS, ANSWERED)
  async update(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateSurveyRequest,
  ): Promise<SurveyResponse> {
    return new SurveyResponse(await this.changeSurvey.run(actor, id, request.toPatch(), this.clock.now()));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a survey', description: 'Out of sight at once. For its owner and managers.' })
  @ApiOkResponse({ type: SurveyDeletedResponse })
  @ApiProblems(401, 422, 503, SURVEY_NOT_FOUND, NOT_YOURS)
  async delete(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<SurveyDeletedResponse> {
    await this.deleteSurvey.run(actor, id, this.clock.now());
    return { id, deleted: true };
  }
}
