// Use case. Adds, changes and deletes the tasks of a project.
import type { Actor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { ProjectArchivedError, ProjectNotFoundError, ProjectTaskNotFoundError } from '../domain/errors';
import type { ChangeOrigin } from '../domain/evidence';
import { checkedFamily, checkedName } from '../domain/names';
import type { ProjectTask } from '../domain/project';
import type { ProjectRepository } from '../ports/project-repository';

export interface ProjectTaskInput {
  readonly name: string;
  readonly controlFamily?: string | null;
}

export class EditProjectTasks {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly ids: Ids,
  ) {}

  async create(
    actor: Actor,
    projectId: string,
    input: ProjectTaskInput,
    origin: ChangeOrigin,
    now: Date,
  ): Promise<ProjectTask> {
    const project = await this.projects.find(actor, projectId);
    if (project === null) throw new ProjectNotFoundError(projectId);
    if (project.archivedAt !== null) throw new ProjectArchivedError(projectId);
    const task: ProjectTask = {
      id: prefixedId('project-task-', this.ids),
      tenantId: project.tenantId,
      projectId,
      name: checkedName(input.name),
      controlFamily: checkedFamily(input.controlFamily),
      driveFolderId: null,
      createdBy: actor.type === 'user' ? actor.userId : null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    await this.projects.addTask(actor, task, origin);
    return task;
  }

  /** What is absent stays. */
  async change(
    actor: Actor,
    taskId: string,
    input: Partial<ProjectTaskInput>,
    origin: ChangeOrigin,
    now: Date,
  ): Promise<ProjectTask> {
    const change = {
      ...(input.name === undefined ? {} : { name: checkedName(input.name) }),
      ...(input.controlFamily === undefined ? {} : { controlFamily: checkedFamily(input.controlFamily) }),
    };
    const changed = await this.projects.changeTask(actor, taskId, change, origin, now);
    if (changed === null) throw new ProjectTaskNotFoundError(taskId);
    return changed;
  }

  async delete(actor: Actor, taskId: string, origin: ChangeOrigin, now: Date): Promise<ProjectTask> {
    const deleted = await this.projects.deleteTask(actor, taskId, origin, now);
    if (deleted === null) throw new ProjectTaskNotFoundError(taskId);
    return deleted;
  }
}
