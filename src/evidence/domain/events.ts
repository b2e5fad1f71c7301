// Domain. What the others are told of evidence. The names are a contract; `origin` says where the change came from.
import type { ChangeOrigin, Evidence } from './evidence';
import type { Project, ProjectTask } from './project';

export interface CatalogueEvent {
  readonly tenantId: number;
  readonly type: CatalogueEventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

export type CatalogueEventType =
  | 'project.created'
  | 'project.renamed'
  | 'project.archived'
  | 'project-task.created'
  | 'project-task.renamed'
  | 'project-task.deleted'
  | 'evidence.added'
  | 'evidence.renamed'
  | 'evidence.moved'
  | 'evidence.content-replaced'
  | 'evidence.deleted'
  | 'evidence.restored'
  | 'evidence.reviewed';

export function projectEvent(
  type: `project.${'created' | 'renamed' | 'archived'}`,
  project: Project,
  origin: ChangeOrigin,
  now: Date,
): CatalogueEvent {
  const payload = { project_id: project.id, name: project.name, origin };
  return { tenantId: project.tenantId, type, payload, occurredAt: now };
}

export function projectTaskEvent(
  type: `project-task.${'created' | 'renamed' | 'deleted'}`,
  task: ProjectTask,
  origin: ChangeOrigin,
  now: Date,
): CatalogueEvent {
  const payload = { project_id: task.projectId, task_id: task.id, name: task.name, origin };
  return { tenantId: task.tenantId, type, payload, occurredAt: now };
}

export function evidenceEvent(
  type: Extract<CatalogueEventType, `evidence.${string}`>,
  evidence: Evidence,
  origin: ChangeOrigin,
  now: Date,
): CatalogueEvent {
  const payload = {
    evidence_id: evidence.id,
    project_id: evidence.projectId,
    task_id: evidence.taskId,
    name: evidence.name,
    source: evidence.source,
    drive_file_id: evidence.driveFileId,
    control_family: evidence.controlFamily,
    ...(type === 'evidence.reviewed' ? { decision: evidence.reviewDecision } : {}),
    origin,
  };
  return { tenantId: evidence.tenantId, type, payload, occurredAt: now };
}
