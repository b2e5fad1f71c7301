// Use case. Renames evidence, or gives it to another task.
import type { Actor } from '../../kernel/actor';
import { EvidenceDeletedError, EvidenceNotFoundError, ProjectTaskNotFoundError } from '../domain/errors';
import type { ChangeOrigin, Evidence } from '../domain/evidence';
import { safeFileName } from '../domain/file-name';
import type { EvidenceRepository } from '../ports/evidence-repository';
import type { ProjectRepository } from '../ports/project-repository';

/** What is absent stays. */
export interface EvidenceChange {
  readonly name?: string;
  /** Null: to no task of the project. */
  readonly taskId?: string | null;
}

export class UpdateEvidence {
  constructor(
    private readonly evidence: EvidenceRepository,
    private readonly projects: ProjectRepository,
  ) {}

  async run(
    actor: Actor,
    evidenceId: string,
    change: EvidenceChange,
    origin: ChangeOrigin,
    now: Date,
  ): Promise<Evidence> {
    const known = await this.evidence.find(actor, evidenceId);
    if (known === null) throw new EvidenceNotFoundError(evidenceId);
    if (known.deletedAt !== null) throw new EvidenceDeletedError(evidenceId);
    const { taskId } = change;
    if (taskId !== undefined && taskId !== null) {
      const task = await this.projects.findTask(actor, taskId);
      if (task === null || task.deletedAt !== null || task.projectId !== known.projectId) {
        throw new ProjectTaskNotFoundError(taskId, 'task_id');
      }
    }
    const name = change.name === undefined ? undefined : safeFileName(change.name);
    const changed = await this.evidence.change(actor, evidenceId, { name, taskId }, origin, now);
    if (changed === null) throw new EvidenceNotFoundError(evidenceId);
    return changed;
  }
}
