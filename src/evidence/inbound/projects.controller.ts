// Inbound. Projects and their tasks over HTTP. Everybody of a tenant works on them together.
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { CreateProject } from '../usecases/create-project';
import { EditProjectTasks } from '../usecases/edit-project-tasks';
import { EditProjects } from '../usecases/edit-projects';
import { ReadProjects } from '../usecases/read-projects';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { ARCHIVED, PROJECT_NOT_FOUND, PROJECT_TASK_NOT_FOUND } from './problems';
import {
  CreateProjectTaskRequest,
  ListProjectsQuery,
  ProjectRequest,
  UpdateProjectTaskRequest,
} from './project.request';
import { ProjectResponse, ProjectTaskResponse } from './project.response';

@ApiTags('Projects')
@Controller('1.0')
export class ProjectsController {
  constructor(
    private readonly createProject: CreateProject,
    private readonly projects: EditProjects,
    private readonly projectTasks: EditProjectTasks,
    private readonly read: ReadProjects,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('projects')
  @ApiOperation({ summary: 'Open a project' })
  @ApiCreatedResponse({ type: ProjectResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  async create(@CurrentActor() actor: UserActor, @Body() request: ProjectRequest): Promise<ProjectResponse> {
    return new ProjectResponse(await this.createProject.run(actor, request, this.clock.now()));
  }

  @Get('projects')
  @ApiOperation({ summary: 'The projects of your tenant', description: 'Newest first.' })
  @ApiOkResponse({ type: [ProjectResponse], ...PAGED })
  @ApiProblems(401, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListProjectsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectResponse[]> {
    const page = query.toPage();
    const projects = await this.read.list(actor, query.toFilter(), page);
    tellNext(response, nextCursor(projects, page));
    return projects.map((project) => new ProjectResponse(project));
  }

  @Get('projects/:id')
  @ApiOperation({ summary: 'One project' })
  @ApiOkResponse({ type: ProjectResponse })
  @ApiProblems(401, 422, 503, PROJECT_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ProjectResponse> {
    return new ProjectResponse(await this.read.one(actor, id));
  }

  @Patch('projects/:id')
  @ApiOperation({ summary: 'Rename a project' })
  @ApiOkResponse({ type: ProjectResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, PROJECT_NOT_FOUND)
  async rename(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: ProjectRequest,
  ): Promise<ProjectResponse> {
    return new ProjectResponse(await this.projects.rename(actor, id, request.name, 'upload', this.clock.now()));
  }

  @Post('projects/:id/archive')
  @HttpCode(200)
  @ApiOperation({ summary: 'Archive a project', description: 'It stays readable; nothing can be added to it.' })
  @ApiOkResponse({ type: ProjectResponse })
  @ApiProblems(401, 422, 503, PROJECT_NOT_FOUND)
  async archive(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ProjectResponse> {
    return new ProjectResponse(await this.projects.archive(actor, id, 'upload', this.clock.now()));
  }

  @Post('projects/:id/tasks')
  @ApiOperation({ summary: 'Add a task to a project', description: 'A control that is to be evidenced.' })
  @ApiCreatedResponse({ type: ProjectTaskResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, PROJECT_NOT_FOUND, ARCHIVED)
  async createTask(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: CreateProjectTaskRequest,
  ): Promise<ProjectTaskResponse> {
    const task = await this.projectTasks.create(actor, id, request.toInput(), 'upload', this.clock.now());
    return new ProjectTaskResponse(task);
  }

  @Get('projects/:id/tasks')
  @ApiOperation({ summary: 'The tasks of a project', description: 'In the order in which they were added.' })
  @ApiOkResponse({ type: [ProjectTaskResponse] })
  @ApiProblems(401, 422, 503, PROJECT_NOT_FOUND)
  async tasks(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ProjectTaskResponse[]> {
    return (await this.read.tasks(actor, id)).map((task) => new ProjectTaskResponse(task));
  }

  @Get('project-tasks/:id')
  @ApiOperation({ summary: 'One task of a project' })
  @ApiOkResponse({ type: ProjectTaskResponse })
  @ApiProblems(401, 422, 503, PROJECT_TASK_NOT_FOUND)
  async task(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ProjectTaskResponse> {
    return new ProjectTaskResponse(await this.read.task(actor, id));
  }

  @Patch('project-tasks/:id')
  @ApiOperation({ summary: 'Change a task of a project', description: 'What is absent stays.' })
  @ApiOkResponse({ type: ProjectTaskResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, PROJECT_TASK_NOT_FOUND)
  async changeTask(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateProjectTaskRequest,
  ): Promise<ProjectTaskResponse> {
    const task = await this.projectTasks.change(actor, id, request.toInput(), 'upload', this.clock.now());
    return new ProjectTaskResponse(task);
  }

  @Delete('project-tasks/:id')
  @ApiOperation({ summary: 'Delete a task of a project', description: 'Its evidence stays with the project.' })
  @ApiOkResponse({ type: ProjectTaskResponse })
  @ApiProblems(401, 422, 503, PROJECT_TASK_NOT_FOUND)
  async deleteTask(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ProjectTaskResponse> {
    return new ProjectTaskResponse(await this.projectTasks.delete(actor, id, 'upload', this.clock.now()));
  }
}
