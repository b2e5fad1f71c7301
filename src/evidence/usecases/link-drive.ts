// Use case. Remembers which folder or file of Google Drive is what here.
import type { Actor } from '../../kernel/actor';
import { EvidenceNotFoundError, ProjectNotFoundError, ProjectTaskNotFoundError } from '../domain/errors';
import type { EvidenceRepository } from '../ports/evidence-repository';
import type { ProjectRepository } from '../ports/project-repository';

/** Which folder or file of Drive mirrors what. Null takes a link away. Nobody is told: it changes nothing for people. */
export class LinkDrive {
  constructor(
    private readonly projects: ProjectRepository,
    private readonly evidence: EvidenceRepository,
  ) {}

  async project(actor: Actor, projectId: string, driveFolderId: string | null): Promise<void> {
    if (!(await this.projects.linkFolder(actor, projectId, driveFolderId))) throw new ProjectNotFoundError(projectId);
  }

  async task(actor: Actor, taskId: string, driveFolderId: string | null): Promise<void> {
    if (!(await this.projects.linkTaskFolder(actor, taskId, driveFolderId))) throw new ProjectTaskNotFoundError(taskId);
  }

  async file(actor: Actor, evidenceId: string, driveFileId: string | null): Promise<void> {
    if (!(await this.evidence.linkDriveFile(actor, evidenceId, driveFileId)))
      throw new EvidenceNotFoundError(evidenceId);
  }
}
