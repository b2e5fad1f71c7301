// Inbound. Scheduled tasks over HTTP. Reads the clock once for each request; holds no rule.
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { CreateTask } from '../usecases/create-task';
import { DeleteTask } from '../usecases/delete-task';
import { DuplicateTask } from '../usecases/duplicate-task';
import { PauseTask } from '../usecases/pause-task';
import { ReadTasks } from '../usecases/read-tasks';
import { ResumeTask } from '../usecases/resume-task';
import { TriggerTask } from '../usecases/trigger-task';
import { UpdateTask } from '../usecases/update-task';
import { CreateTaskBody, DuplicateTaskBody, UpdateTaskBody } from './body-examples';
import { CreateTaskRequest } from './create-task.request';
import { ListTasksQuery } from './list-tasks.request';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { CORRUPT, DISPATCHING, TASK_NOT_FOUND } from './problems';
import { DeletedResponse, TriggeredResponse } from './run.response';
import { TaskDetailResponse, TaskResponse } from './task.response';
import { UpdateTaskRequest } from './update-task.request';

@ApiTags('Scheduled tasks')
@Controller('scheduled-tasks')
export class TasksController {
  constructor(
    private readonly createTask: CreateTask,
    private readonly updateTask: UpdateTask,
    private readonly pauseTask: PauseTask,
    private readonly resumeTask: ResumeTask,
    private readonly deleteTask: DeleteTask,
    private readonly duplicateTask: DuplicateTask,
    private readonly triggerTask: TriggerTask,
    private readonly readTasks: ReadTasks,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @CreateTaskBody()
  @ApiOperation({ summary: 'Register a task', description: 'Everything is checked before anything is written.' })
  @ApiCreatedResponse({ type: TaskResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, {
    status: 404,
    code: 'schedule.thread-not-found',
    detail: 'There is no thread "0192f0c4": use one of your own.',
    field: 'thread_id',
  })
  async create(@CurrentActor() actor: UserActor, @Body() request: CreateTaskRequest): Promise<TaskResponse> {
    return new TaskResponse(await this.createTask.run(actor, request.toInput(), this.clock.now()));
  }

  @Get()
  @ApiOperation({ summary: 'Your tasks', description: 'Newest first. A task that cannot be read is left out.' })
  @ApiOkResponse({ type: [TaskResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListTasksQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TaskResponse[]> {
    const page = query.toPage();
    const tasks = await this.readTasks.list(actor, query.toFilter(), page);
    tellNext(response, nextCursor(tasks, page));
    return tasks.map((task) => new TaskResponse(task));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One task, with its next three runs' })
  @ApiOkResponse({ type: TaskDetailResponse })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND, CORRUPT)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<TaskDetailResponse> {
    return new TaskDetailResponse(await this.readTasks.one(actor, id));
  }

  @Patch(':id')
  @UpdateTaskBody()
  @ApiOperation({
    summary: 'Change a task',
    description:
      'What is absent or null stays. A new schedule arms a finished task again. Refused while it is running.',
  })
  @ApiOkResponse({ type: TaskResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, TASK_NOT_FOUND, DISPATCHING, CORRUPT)
  async update(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateTaskRequest,
  ): Promise<TaskResponse> {
    return new TaskResponse(await this.updateTask.run(actor, id, request.toPatch(), this.clock.now()));
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Delete a task',
    description: 'In every state. A run under way goes on; its history stays.',
  })
  @ApiOkResponse({ type: DeletedResponse })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND)
  async delete(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<DeletedResponse> {
    await this.deleteTask.run(actor, id, this.clock.now());
    return { id, deleted: true };
  }

  @Post(':id/pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Pause a task', description: 'Paused time has no occurrences.' })
  @ApiOkResponse({ type: TaskResponse })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND, DISPATCHING, CORRUPT)
  async pause(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<TaskResponse> {
    return new TaskResponse(await this.pauseTask.run(actor, id, this.clock.now()));
  }

  @Post(':id/resume')
  @HttpCode(200)
  @ApiOperation({ summary: 'Resume a task', description: 'The next run is computed from now.' })
  @ApiOkResponse({ type: TaskResponse })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND, DISPATCHING, CORRUPT, {
    status: 409,
    code: 'schedule.task-finished',
    detail: 'Task task-… is completed: its one run is over. Give it a new run_at to arm it again.',
  })
  async resume(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<TaskResponse> {
    return new TaskResponse(await this.resumeTask.run(actor, id, this.clock.now()));
  }

  @Post(':id/trigger')
  @HttpCode(200)
  @ApiOperation({ summary: 'Run a task now', description: 'In any state; takes a place of the budget like any run.' })
  @ApiOkResponse({ type: TriggeredResponse })
  @ApiProblems(
    401,
    422,
    503,
    TASK_NOT_FOUND,
    CORRUPT,
    { status: 409, code: 'schedule.active-run', detail: 'Task task-… has a run that has not ended yet.' },
    { status: 409, code: 'schedule.thread-busy', detail: 'Thread "0192f0c4" is busy with another run.' },
    { status: 429, code: 'schedule.budget-full', detail: 'All 10 places for concurrent runs are taken.' },
    { status: 502, code: 'schedule.launch-failed', detail: 'The assistant could not be started: no such program.' },
  )
  async trigger(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<TriggeredResponse> {
    const run = await this.triggerTask.run(actor, id, this.clock.now());
    return { id, triggered: true, task_run_id: run.id };
  }

  @Post(':id/duplicate')
  @DuplicateTaskBody()
  @ApiOperation({
    summary: 'Duplicate a task',
    description: 'A new task with the same rule and what the body changes of it; without its history.',
  })
  @ApiCreatedResponse({ type: TaskResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, TASK_NOT_FOUND, CORRUPT)
  async duplicate(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateTaskRequest,
  ): Promise<TaskResponse> {
    return new TaskResponse(await this.duplicateTask.run(actor, id, request.toPatch(), this.clock.now()));
  }
}
