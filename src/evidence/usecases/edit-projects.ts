// Use case. Renames and archives projects.
import type { Actor } from '../../kernel/actor';
import { ProjectNotFoundError } from '../domain/errors';
import type { ChangeOrigin } from '../domain/evidence';
import { checkedName } from '../domain/names';
import type { Project } from '../domain/project';
import type { ProjectRepository } from '../ports/project-repository';

export class EditProjects {
  constructor(private readonly projects: ProjectRepository) {}

  async rename(actor: Actor, projectId: string, name: string, origin: ChangeOrigin, now: Date): Promise<Project> {
    const renamed = await this.projects.rename(actor, projectId, checkedName(name), origin, now);
    if (renamed === null) throw new ProjectNotFoundError(projectId);
    return renamed;
  }

  async archive(actor: Actor, projectId: string, origin: ChangeOrigin, now: Date): Promise<Project> {
    const archived = await this.projects.archive(actor, projectId, origin, now);
    if (archived === null) throw new ProjectNotFoundError(projectId);
    return archived;
  }
}
