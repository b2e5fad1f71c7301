// Inbound. Classification runs over HTTP.
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, RequireRole } from '../../platform/auth';
import { ApiProblems, type ProblemExample } from '../../platform/protocol/api-problems';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { ReadRuns } from '../usecases/read-runs';
import { RequestClassification } from '../usecases/request-classification';
import { ReviewSuggestion } from '../usecases/review-suggestion';
import { ClassificationRequestBody, ListRunsQuery, ReviewRequest } from './classification.request';
import {
  ClassificationRunDetailResponse,
  ClassificationRunResponse,
  ClassifiedFileResponse,
} from './classification.response';

const NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'evidence-classification.run-not-found',
  detail: 'There is no classification run "classification-0192f0c4".',
};
const ACTIVE: ProblemExample = {
  status: 409,
  code: 'evidence-classification.active-run',
  detail: 'The project is being classified already, by run classification-…. Wait for its end, or cancel it.',
};
const NOTHING: ProblemExample = {
  status: 409,
  code: 'evidence-classification.nothing-to-classify',
  detail: 'The project has no evidence that is unclassified.',
};

@ApiTags('Evidence classification')
@Controller('1.0')
export class ClassificationController {
  constructor(
    private readonly request: RequestClassification,
    private readonly read: ReadRuns,
    private readonly review: ReviewSuggestion,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('projects/:id/classification-runs')
  @RequireRole('manager')
  @ApiOperation({
    summary: 'Classify the evidence of a project',
    description: 'In the background, one run at a time for each project. What comes out are suggestions.',
  })
  @ApiCreatedResponse({ type: ClassificationRunResponse })
  @ApiProblems(400, 401, 403, 404, 413, 415, 422, 503, ACTIVE, NOTHING)
  async start(
    @CurrentActor() actor: UserActor,
    @Param('id') projectId: string,
    @Body() { evidence_ids: evidenceIds, image }: ClassificationRequestBody,
  ): Promise<ClassificationRunResponse> {
    const asked = { projectId, evidenceIds: evidenceIds ?? undefined, image: image ?? undefined };
    return new ClassificationRunResponse(await this.request.run(actor, asked, this.clock.now()));
  }

  @Get('classification-runs')
  @ApiOperation({ summary: 'The classification runs of your tenant', description: 'Newest first.' })
  @ApiOkResponse({ type: [ClassificationRunResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListRunsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClassificationRunResponse[]> {
    const page = query.toPage();
    const runs = await this.read.list(actor, { projectId: query.project_id }, page);
    tellNext(response, nextCursor(runs, page));
    return runs.map((run) => new ClassificationRunResponse(run));
  }

  @Get('classification-runs/:id')
  @ApiOperation({ summary: 'One classification run, file by file' })
  @ApiOkResponse({ type: ClassificationRunDetailResponse })
  @ApiProblems(401, 422, 503, NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ClassificationRunDetailResponse> {
    const { run, files } = await this.read.one(actor, id);
    return new ClassificationRunDetailResponse(run, files);
  }

  @Post('classification-runs/:id/cancel')
  @HttpCode(200)
  @RequireRole('manager')
  @ApiOperation({ summary: 'Cancel a classification run', description: 'One that is over stays as it is.' })
  @ApiOkResponse({ type: ClassificationRunResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async cancel(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ClassificationRunResponse> {
    return new ClassificationRunResponse(await this.read.cancel(actor, id, this.clock.now()));
  }

  @Post('classification-runs/:id/files/:evidenceId/review')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Accept, correct or reject a suggestion',
    description: 'An accepted or corrected one classifies the evidence, and brings it to the task of its family.',
  })
  @ApiOkResponse({ type: ClassifiedFileResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, NOT_FOUND)
  async reviewFile(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Param('evidenceId') evidenceId: string,
    @Body() { decision, control_family: controlFamily }: ReviewRequest,
  ): Promise<ClassifiedFileResponse> {
    const reviewed = await this.review.run(actor, id, evidenceId, { decision, controlFamily }, this.clock.now());
    return new ClassifiedFileResponse(reviewed);
  }
}
