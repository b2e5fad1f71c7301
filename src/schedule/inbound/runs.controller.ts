// Inbound. The history of runs over HTTP: of one task, of all of one's tasks, and the tasks of a thread.
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import type { ScheduledRun } from '../domain/run';
import type { PageRequest } from '../domain/listing';
import { ReadRuns } from '../usecases/read-runs';
import { ReadTasks } from '../usecases/read-tasks';
import { ListAllRunsQuery, ListRunsQuery } from './list-runs.request';
import { PageOrOffsetQuery } from './page.request';
import { TASK_NOT_FOUND } from './problems';
import { RunResponse } from './run.response';
import { TaskResponse } from './task.response';

@ApiTags('Runs')
@Controller()
export class RunsController {
  constructor(
    private readonly readRuns: ReadRuns,
    private readonly readTasks: ReadTasks,
  ) {}

  @Get('scheduled-tasks/:id/runs')
  @ApiOperation({ summary: 'The runs of a task', description: 'Newest first, with those that were skipped and why.' })
  @ApiOkResponse({ type: [RunResponse], ...PAGED })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND)
  async ofTask(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Query() query: ListRunsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RunResponse[]> {
    const page = query.toPage();
    return answer(await this.readRuns.ofTask(actor, id, query.toFilter(), page), page, response);
  }

  @Get('scheduled-task-runs')
  @ApiOperation({ summary: 'The runs of all your tasks', description: 'What happened last night? Deleted tasks too.' })
  @ApiOkResponse({ type: [RunResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async all(
    @CurrentActor() actor: UserActor,
    @Query() query: ListAllRunsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RunResponse[]> {
    const page = query.toPage();
    return answer(await this.readRuns.list(actor, query.toFilter(), page), page, response);
  }

  @Get('scheduled-task-runs/:id')
  @ApiOperation({ summary: 'One run' })
  @ApiOkResponse({ type: RunResponse })
  @ApiProblems(401, 422, 503, {
    status: 404,
    code: 'schedule.run-not-found',
    detail: 'There is no run "task-run-0192f0c4".',
  })
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<RunResponse> {
    return new RunResponse(await this.readRuns.one(actor, id));
  }

  @Get('threads/:id/scheduled-tasks')
  @ApiOperation({ summary: 'The tasks bound to a thread' })
  @ApiOkResponse({ type: [TaskResponse], ...PAGED })
  @ApiProblems(401, 422, 503, {
    status: 404,
    code: 'schedule.thread-not-found',
    detail: 'There is no thread "0192f0c4". Use one of your own threads.',
  })
  async ofThread(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Query() query: PageOrOffsetQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TaskResponse[]> {
    const page = query.toPage();
    const tasks = await this.readTasks.ofThread(actor, id, page);
    tellNext(response, nextCursor(tasks, page));
    return tasks.map((task) => new TaskResponse(task));
  }
}

function answer(runs: readonly ScheduledRun[], page: PageRequest, response: Response): RunResponse[] {
  tellNext(response, nextCursor(runs, page));
  return runs.map((run) => new RunResponse(run));
}
