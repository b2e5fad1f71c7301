// What changed in projects, tasks and evidence becomes jobs. What came from Drive is there already.
import { systemActor } from '../../kernel/actor';
import type { NewJob } from '../domain/job';
import {
  archiveDriveFile,
  createFolder,
  initProjectFolders,
  reconcileEvidence,
  reconcileTaskFolder,
  renameFolder,
} from '../domain/jobs';
import type { JobQueue } from '../ports/job-queue';

const ACTOR = systemActor('drive: the catalogue changed');

export interface CatalogueFact {
  readonly tenantId: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export const FOLLOWED = [
  'project.created',
  'project.renamed',
  'project-task.created',
  'project-task.renamed',
  'project-task.deleted',
  'evidence.added',
  'evidence.renamed',
  'evidence.moved',
  'evidence.content-replaced',
  'evidence.deleted',
  'evidence.restored',
  'evidence.reviewed',
] as const;

export class FollowCatalogue {
  constructor(private readonly queue: JobQueue) {}

  async run(facts: readonly CatalogueFact[], now: Date): Promise<void> {
    await this.queue.enqueue(ACTOR, facts.flatMap(jobsOf), now);
  }
}

export function jobsOf({ tenantId, type, payload }: CatalogueFact): NewJob[] {
  if (payload.origin === 'drive') return [];
  const id = (field: string): string => (typeof payload[field] === 'string' ? payload[field] : '');
  const fileId = id('drive_file_id') === '' ? null : id('drive_file_id');
  switch (type) {
    case 'project.created':
      return [initProjectFolders(tenantId, id('project_id'))];
    case 'project.renamed':
      return [renameFolder(tenantId, 'project', id('project_id'))];
    case 'project-task.created':
      return [createFolder(tenantId, id('project_id'), id('task_id'))];
    case 'project-task.renamed':
      return [renameFolder(tenantId, 'task', id('task_id'))];
    case 'project-task.deleted':
      return [reconcileTaskFolder(tenantId, id('project_id'), id('task_id'))];
    case 'evidence.deleted':
      return fileId === null ? [] : [archiveDriveFile(tenantId, fileId)];
    default:
      return type.startsWith('evidence.') ? [reconcileEvidence(tenantId, id('evidence_id'), fileId)] : [];
  }
}
