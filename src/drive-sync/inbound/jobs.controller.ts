// Inbound. The queue of Drive jobs over HTTP: what waits, what failed and why, again, never mind.
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, RequireRole } from '../../platform/auth';
import { ApiProblems, type ProblemExample } from '../../platform/protocol/api-problems';
import { PAGED, tellNext } from '../../platform/protocol/page-query';
import { ReadJobs } from '../usecases/read-jobs';
import { JobCountsResponse, JobResponse } from './job.response';
import { ListJobsQuery, nextCursor } from './list-jobs.request';

const NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'drive-sync.job-not-found',
  detail: 'There is no Drive job "0192f0c4-…". List the jobs to see their ids.',
};
const STATE: ProblemExample = {
  status: 409,
  code: 'drive-sync.job-state',
  detail: 'Job 0192f0c4-… is SUCCESS: only what has FAILED or was SKIPPED is tried again.',
};

@ApiTags('Google Drive')
@Controller('1.0/integrations/google-drive/jobs')
export class JobsController {
  constructor(
    private readonly jobs: ReadJobs,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The jobs of your tenant', description: 'Newest first.' })
  @ApiOkResponse({ type: [JobResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListJobsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<JobResponse[]> {
    const page = query.toPage();
    const jobs = await this.jobs.list(actor, query.toFilter(), page);
    tellNext(response, nextCursor(jobs, page));
    return jobs.map((job) => new JobResponse(job));
  }

  @Get('counts')
  @ApiOperation({ summary: 'How many there are of each status' })
  @ApiOkResponse({ type: JobCountsResponse })
  @ApiProblems(401, 503)
  async counts(@CurrentActor() actor: UserActor): Promise<JobCountsResponse> {
    return new JobCountsResponse(await this.jobs.counts(actor));
  }

  @Get(':uid')
  @ApiOperation({ summary: 'One job' })
  @ApiOkResponse({ type: JobResponse })
  @ApiProblems(401, 422, 503, NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('uid') uid: string): Promise<JobResponse> {
    return new JobResponse(await this.jobs.one(actor, uid));
  }

  @Post(':uid/retry')
  @HttpCode(200)
  @RequireRole('manager', 'operator')
  @ApiOperation({ summary: 'Try again what failed', description: 'At once, and with all its tries.' })
  @ApiOkResponse({ type: JobResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND, STATE)
  async retry(@CurrentActor() actor: UserActor, @Param('uid') uid: string): Promise<JobResponse> {
    return new JobResponse(await this.jobs.retry(actor, uid, this.clock.now()));
  }

  @Post(':uid/cancel')
  @HttpCode(200)
  @RequireRole('manager', 'operator')
  @ApiOperation({
    summary: 'Cancel a job',
    description:
      'One that waits is SKIPPED at once; one that is worked on is asked to stop, and may succeed before that.',
  })
  @ApiOkResponse({ type: JobResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND, STATE)
  async cancel(@CurrentActor() actor: UserActor, @Param('uid') uid: string): Promise<JobResponse> {
    return new JobResponse(await this.jobs.cancel(actor, uid, this.clock.now()));
  }
}
