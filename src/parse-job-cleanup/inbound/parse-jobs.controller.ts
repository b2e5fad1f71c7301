// Inbound. Parse jobs over HTTP.
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, RequireRole } from '../../platform/auth';
import { ApiProblems, type ProblemExample } from '../../platform/protocol/api-problems';
import { receiveFile } from '../../platform/protocol/multipart';
import { MULTIPART, TakesFile } from '../../platform/protocol/takes-file';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { ReadParseJobs } from '../usecases/read-parse-jobs';
import { ReviewParseJob } from '../usecases/review-parse-job';
import { SubmitParseJob } from '../usecases/submit-parse-job';
import { SweepParseJobs } from '../usecases/sweep-parse-jobs';
import { ListControlsQuery, ListParseJobsQuery, SubmitParseJobForm, SweepRequest } from './parse-job.request';
import { ControlResponse, ParseJobResponse, SweepResponse } from './parse-job.response';

const NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'parse-job-cleanup.job-not-found',
  detail: 'There is no parse job "parse-job-0192f0c4".',
};
const NOT_REVIEWABLE: ProblemExample = {
  status: 409,
  code: 'parse-job-cleanup.not-reviewable',
  detail: 'Parse job parse-job-… is failed; only one that awaits its review can be approved or rejected.',
};
const TOO_LARGE: ProblemExample = {
  status: 413,
  code: 'parse-job-cleanup.document-too-large',
  detail: 'The document is larger than the limit of 20 MiB.',
  field: 'file',
};

@ApiTags('Framework parse jobs')
@Controller('1.0/framework-parse-jobs')
export class ParseJobsController {
  constructor(
    private readonly submitJob: SubmitParseJob,
    private readonly read: ReadParseJobs,
    private readonly review: ReviewParseJob,
    private readonly sweepJobs: SweepParseJobs,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @TakesFile()
  @ApiConsumes(MULTIPART)
  @ApiBody({ type: SubmitParseJobForm })
  @ApiOperation({
    summary: 'Bring a framework of controls',
    description: 'It is parsed in the background, and then awaits its review.',
  })
  @ApiCreatedResponse({ type: ParseJobResponse })
  @ApiProblems(400, 401, 415, 422, 503, TOO_LARGE)
  async submit(@CurrentActor() actor: UserActor, @Req() request: Request): Promise<ParseJobResponse> {
    const { fields, file } = await receiveFile(request, ['name']);
    const input = { name: fields.name ?? file.name, mimeType: file.mimeType, content: file.content };
    return new ParseJobResponse(await this.submitJob.run(actor, input, this.clock.now()));
  }

  @Get()
  @ApiOperation({ summary: 'The parse jobs of your tenant', description: 'Newest first.' })
  @ApiOkResponse({ type: [ParseJobResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListParseJobsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ParseJobResponse[]> {
    const page = query.toPage();
    const jobs = await this.read.list(actor, { status: query.status }, page);
    tellNext(response, nextCursor(jobs, page));
    return jobs.map((job) => new ParseJobResponse(job));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One parse job, with its progress' })
  @ApiOkResponse({ type: ParseJobResponse })
  @ApiProblems(401, 422, 503, NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ParseJobResponse> {
    return new ParseJobResponse(await this.read.one(actor, id));
  }

  @Get(':id/controls')
  @ApiOperation({ summary: 'The controls that were read', description: 'In the order of the document.' })
  @ApiOkResponse({ type: [ControlResponse] })
  @ApiProblems(401, 422, 503, NOT_FOUND)
  async controls(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Query() { from = 1, limit = 100 }: ListControlsQuery,
  ): Promise<ControlResponse[]> {
    return (await this.read.controls(actor, id, from, limit)).map((control) => new ControlResponse(control));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @RequireRole('manager')
  @ApiOperation({ summary: 'Approve what was read' })
  @ApiOkResponse({ type: ParseJobResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND, NOT_REVIEWABLE)
  async approve(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ParseJobResponse> {
    return new ParseJobResponse(await this.review.run(actor, id, 'approved', this.clock.now()));
  }

  @Post(':id/reject')
  @HttpCode(200)
  @RequireRole('manager')
  @ApiOperation({ summary: 'Reject what was read' })
  @ApiOkResponse({ type: ParseJobResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND, NOT_REVIEWABLE)
  async reject(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ParseJobResponse> {
    return new ParseJobResponse(await this.review.run(actor, id, 'rejected', this.clock.now()));
  }

  @Post(':id/restore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Restore a deleted parse job', description: 'Its age begins anew.' })
  @ApiOkResponse({ type: ParseJobResponse })
  @ApiProblems(401, 422, 503, NOT_FOUND)
  async restore(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ParseJobResponse> {
    return new ParseJobResponse(await this.read.restore(actor, id));
  }

  @Post('cleanup')
  @HttpCode(200)
  @RequireRole('operator')
  @ApiOperation({
    summary: 'Delete old parse jobs now',
    description: 'For operators, over all tenants; softly. Happens by itself at 01:00 UTC.',
  })
  @ApiOkResponse({ type: SweepResponse })
  @ApiProblems(400, 401, 403, 413, 415, 422, 503)
  async sweep(@Body() request: SweepRequest): Promise<SweepResponse> {
    const order = request.toOrder();
    return new SweepResponse(await this.sweepJobs.run(order), order.dryRun ?? false);
  }
}
