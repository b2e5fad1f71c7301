// Outbound adapter: the catalogue, through the front door of the feature evidence.
import { systemActor } from '../../kernel/actor';
import { DomainError } from '../../kernel/domain-error';
import {
  type AddEvidence,
  DriveFileTakenError,
  type EditProjects,
  type EditProjectTasks,
  type Evidence,
  type LinkDrive,
  type Project,
  type ReadEvidence,
  type ReadProjects,
  type ReplaceEvidenceContent,
  type RestoreEvidence,
  type SoftDeleteEvidence,
  type UpdateEvidence,
} from '../../evidence';
import type { CatalogueEvidence, CatalogueProject, CatalogueTask } from '../domain/catalogue-entry';
import type { Catalogue, EvidenceFromDrive } from '../ports/catalogue';
import type { Content } from '../domain/content';

const ACTOR = systemActor('drive: catalogue');
const ORIGIN = 'drive';
const PAGE = 200;

export interface EvidenceDoors {
  readonly readProjects: ReadProjects;
  readonly editProjects: EditProjects;
  readonly editTasks: EditProjectTasks;
  readonly read: ReadEvidence;
  readonly add: AddEvidence;
  readonly update: UpdateEvidence;
  readonly replace: ReplaceEvidenceContent;
  readonly remove: SoftDeleteEvidence;
  readonly bringBack: RestoreEvidence;
  readonly link: LinkDrive;
}

export class EvidenceCatalogue implements Catalogue {
  constructor(private readonly doors: EvidenceDoors) {}

  async *projects(tenantId: number): AsyncGenerator<CatalogueProject> {
    for (let after: Project | undefined; ;) {
      const page = await this.doors.readProjects.list(actorOf(tenantId), {}, { limit: PAGE, after });
      for (const project of page) if (project.tenantId === tenantId) yield toProject(project);
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  async project(tenantId: number, projectId: string): Promise<CatalogueProject | null> {
    const found = await absent(this.doors.readProjects.one(ACTOR, projectId));
    return found === null || found.tenantId !== tenantId ? null : toProject(found);
  }

  async tasks(tenantId: number, projectId: string): Promise<CatalogueTask[]> {
    const found = await absent(this.doors.readProjects.tasks(ACTOR, projectId));
    return (found ?? []).filter((task) => task.tenantId === tenantId).map(({ id, name }) => ({ id, projectId, name }));
  }

  async task(tenantId: number, taskId: string): Promise<CatalogueTask | null> {
    const found = await absent(this.doors.readProjects.task(ACTOR, taskId));
    if (found === null || found.tenantId !== tenantId) return null;
    return { id: found.id, projectId: found.projectId, name: found.name };
  }

  async *evidenceOf(tenantId: number, projectId: string, taskId: string | null): AsyncGenerator<CatalogueEvidence> {
    const filter = taskId === null ? { projectId } : { projectId, taskId };
    for (let after: Evidence | undefined; ;) {
      const page = await this.doors.read.list(ACTOR, filter, { limit: PAGE, after });
      for (const one of page) if (one.tenantId === tenantId && one.taskId === taskId) yield toEvidence(one);
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  async evidence(tenantId: number, evidenceId: string): Promise<CatalogueEvidence | null> {
    const found = await absent(this.doors.read.one(ACTOR, evidenceId));
    return found === null || found.tenantId !== tenantId ? null : toEvidence(found);
  }

  async byDriveFile(tenantId: number, driveFileId: string): Promise<CatalogueEvidence | null> {
    const found = await this.doors.read.byDriveFile(ACTOR, tenantId, driveFileId);
    return found === null ? null : toEvidence(found);
  }

  async add(
    tenantId: number,
    evidence: EvidenceFromDrive,
    content: Content,
    now: Date,
  ): Promise<CatalogueEvidence | null> {
    try {
      return toEvidence(await this.doors.add.run(ACTOR, { ...evidence, content, source: ORIGIN }, now));
    } catch (error) {
      if (error instanceof DriveFileTakenError) return this.byDriveFile(tenantId, evidence.driveFileId);
      if (error instanceof DomainError && (error.kind === 'conflict' || error.kind === 'not-found')) return null;
      throw error;
    }
  }

  async replaceContent(
    _: number,
    evidenceId: string,
    mimeType: string,
    content: Content,
    now: Date,
  ): Promise<CatalogueEvidence> {
    return toEvidence(await this.doors.replace.run(ACTOR, evidenceId, { content, mimeType }, ORIGIN, now));
  }

  async rename(_: number, evidenceId: string, name: string, now: Date): Promise<CatalogueEvidence> {
    return toEvidence(await this.doors.update.run(ACTOR, evidenceId, { name }, ORIGIN, now));
  }

  async move(_: number, evidenceId: string, taskId: string | null, now: Date): Promise<CatalogueEvidence> {
    return toEvidence(await this.doors.update.run(ACTOR, evidenceId, { taskId }, ORIGIN, now));
  }

  async softDelete(_: number, evidenceId: string, now: Date): Promise<void> {
    await this.doors.remove.run(ACTOR, evidenceId, ORIGIN, now);
  }

  async restore(_: number, evidenceId: string, now: Date): Promise<void> {
    await this.doors.bringBack.run(ACTOR, evidenceId, ORIGIN, now);
  }

  async content(_: number, evidenceId: string): Promise<Content> {
    return (await this.doors.read.content(ACTOR, evidenceId)).content;
  }

  async linkFile(_: number, evidenceId: string, driveFileId: string | null): Promise<void> {
    await this.doors.link.file(ACTOR, evidenceId, driveFileId);
  }

  async linkFolder(_: number, kind: 'project' | 'task', subjectId: string, folderId: string | null): Promise<void> {
    if (kind === 'project') await this.doors.link.project(ACTOR, subjectId, folderId);
    else await this.doors.link.task(ACTOR, subjectId, folderId);
  }

  async renameFolder(_: number, kind: 'project' | 'task', subjectId: string, name: string, now: Date): Promise<string> {
    if (kind === 'project') return (await this.doors.editProjects.rename(ACTOR, subjectId, name, ORIGIN, now)).name;
    return (await this.doors.editTasks.change(ACTOR, subjectId, { name }, ORIGIN, now)).name;
  }
}

/** The house lists for one tenant as a person of that tenant would. */
function actorOf(tenantId: number) {
  return { type: 'user', tenantId, userId: 'drive-sync', roles: [] } as const;
}

async function absent<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return null;
    throw error;
  }
}

function toProject({ id, name, archivedAt }: Project): CatalogueProject {
  return { id, name, archived: archivedAt !== null };
}

function toEvidence(evidence: Evidence): CatalogueEvidence {
  const { id, projectId, taskId, name, mimeType, sizeBytes, sha256, driveFileId, deletedAt } = evidence;
  return { id, projectId, taskId, name, mimeType, size: sizeBytes, sha256, driveFileId, deleted: deletedAt !== null };
}
