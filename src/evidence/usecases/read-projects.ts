// Use case. Shows projects and their tasks.
import type { Actor } from '../../kernel/actor';
import { ProjectNotFoundError, ProjectTaskNotFoundError } from '../domain/errors';
import type { PageRequest, ProjectFilter } from '../domain/listing';
import type { Project, ProjectTask } from '../domain/project';
import type { ProjectRepository } from '../ports/project-repository';

export class ReadProjects {
  constructor(private readonly projects: ProjectRepository) {}

  /** Also an archived one. */
  async one(actor: Actor, projectId: string): Promise<Project> {
    const found = await this.projects.find(actor, projectId);
    if (found === null) throw new ProjectNotFoundError(projectId);
    return found;
  }

  list(actor: Actor, filter: ProjectFilter, page: PageRequest): Promise<Project[]> {
    return this.projects.list(actor, filter, page);
  }

  async tasks(actor: Actor, projectId: string): Promise<ProjectTask[]> {
    await this.one(actor, projectId);
    return this.projects.tasks(actor, projectId);
  }

  async task(actor: Actor, taskId: string): Promise<ProjectTask> {
    const found = await this.projects.findTask(actor, taskId);
    if (found === null || found.deletedAt !== null) throw new ProjectTaskNotFoundError(taskId);
    return found;
  }
}
