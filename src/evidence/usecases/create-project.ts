// Use case. Opens a project.
import type { Owner, UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { checkedName } from '../domain/names';
import type { Project } from '../domain/project';
import type { ProjectRepository } from '../ports/project-repository';

export class CreateProject {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor & Owner, input: { readonly name: string }, now: Date): Promise<Project> {
    const project: Project = {
      id: prefixedId('project-', this.ids),
      tenantId: actor.tenantId,
      name: checkedName(input.name),
      driveFolderId: null,
      createdBy: actor.userId,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    };
    await this.projects.add(actor, project, 'upload');
    return project;
  }
}
