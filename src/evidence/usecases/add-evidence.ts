// Use case. Takes a file as evidence of a project.
import type { Actor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { ProjectArchivedError, ProjectNotFoundError, ProjectTaskNotFoundError } from '../domain/errors';
import type { Evidence, EvidenceSource } from '../domain/evidence';
import type { EvidencePolicy } from '../domain/evidence-policy';
import { plainMimeType, safeFileName } from '../domain/file-name';
import type { EvidenceRepository } from '../ports/evidence-repository';
import type { FileStore } from '../ports/file-store';
import type { ProjectRepository } from '../ports/project-repository';

export interface AddEvidenceInput {
  readonly projectId: string;
  readonly taskId?: string | null;
  readonly name: string;
  readonly mimeType?: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly source: EvidenceSource;
  /** Who brought it, where the actor does not say so: an agent, the account of a drive. */
  readonly createdBy?: string | null;
  readonly driveFileId?: string | null;
}

export class AddEvidence {
  constructor(
    private readonly evidence: EvidenceRepository,
    private readonly projects: ProjectRepository,
    private readonly files: FileStore,
    private readonly policy: EvidencePolicy,
    private readonly ids: Ids,
  ) {}

  /** The file first, then its row: a row never speaks of bytes that are not there. */
  async run(actor: Actor, input: AddEvidenceInput, now: Date): Promise<Evidence> {
    const { projectId, taskId = null, source, driveFileId = null } = input;
    const tenantId = await this.destination(actor, projectId, taskId);
    const id = prefixedId('evidence-', this.ids);
    const stored = await this.files.write(`${tenantId}/${id}`, input.content, this.policy.maxFileBytes);
    const evidence: Evidence = {
      ...stored,
      id,
      tenantId,
      projectId,
      taskId,
      name: safeFileName(input.name),
      mimeType: plainMimeType(input.mimeType),
      source,
      driveFileId,
      status: 'unclassified',
      controlFamily: null,
      reviewDecision: null,
      reviewedBy: null,
      reviewedAt: null,
      createdBy: input.createdBy ?? (actor.type === 'user' ? actor.userId : null),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      deletedBy: null,
    };
    try {
      await this.evidence.add(actor, evidence, source);
    } catch (error) {
      await this.files.remove(stored.storageKey).catch(() => undefined);
      throw error;
    }
    return evidence;
  }

  private async destination(actor: Actor, projectId: string, taskId: string | null): Promise<number> {
    const project = await this.projects.find(actor, projectId);
    if (project === null) throw new ProjectNotFoundError(projectId);
    if (project.archivedAt !== null) throw new ProjectArchivedError(projectId);
    if (taskId === null) return project.tenantId;
    const task = await this.projects.findTask(actor, taskId);
    if (task === null || task.deletedAt !== null || task.projectId !== projectId) {
      throw new ProjectTaskNotFoundError(taskId, 'task_id');
    }
    return project.tenantId;
  }
}
