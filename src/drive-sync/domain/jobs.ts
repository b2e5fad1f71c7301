// Domain: the jobs there are, each with its keys. Whoever queues something for Drive takes it from here.
import { PRIORITY, type NewJob } from './job';

export function processChanges(tenantId: number): NewJob {
  const key = 'changes';
  return {
    tenantId,
    type: 'PROCESS_DRIVE_CHANGES',
    payload: {},
    priority: PRIORITY.changes,
    dedupeKey: key,
    itemKey: key,
  };
}

export function initProjectFolders(tenantId: number, projectId: string): NewJob {
  return {
    tenantId,
    type: 'INIT_PROJECT_FOLDERS',
    payload: { project_id: projectId },
    priority: PRIORITY.structure,
    dedupeKey: `init ${projectId}`,
    itemKey: `project ${projectId}`,
  };
}

/** A task's folder; with no task a project's own; with neither the root. */
export function createFolder(tenantId: number, projectId?: string, taskId?: string): NewJob {
  const item = taskId !== undefined ? `task ${taskId}` : projectId !== undefined ? `project ${projectId}` : 'root';
  return {
    tenantId,
    type: 'CREATE_FOLDER',
    payload: {
      ...(projectId === undefined ? {} : { project_id: projectId }),
      ...(taskId === undefined ? {} : { task_id: taskId }),
    },
    priority: PRIORITY.structure,
    dedupeKey: `create ${item}`,
    itemKey: item,
  };
}

export function renameFolder(tenantId: number, kind: 'project' | 'task', subjectId: string): NewJob {
  return {
    tenantId,
    type: 'RENAME_FOLDER',
    payload: { kind, subject_id: subjectId },
    priority: PRIORITY.structure,
    dedupeKey: `rename ${subjectId}`,
    itemKey: `${kind} ${subjectId}`,
  };
}

/** Everything in the folder of a task, or with no task in the project's own. */
export function reconcileTaskFolder(tenantId: number, projectId: string, taskId: string | null): NewJob {
  const item = taskId === null ? `project ${projectId}` : `task ${taskId}`;
  return {
    tenantId,
    type: 'RECONCILE_TASK_FOLDER',
    payload: { project_id: projectId, ...(taskId === null ? {} : { task_id: taskId }) },
    priority: PRIORITY.upkeep,
    dedupeKey: `reconcile ${item}`,
    itemKey: item,
  };
}

/** One piece of evidence, as it is in the catalogue now. */
export function reconcileEvidence(tenantId: number, evidenceId: string, driveFileId: string | null): NewJob {
  return {
    tenantId,
    type: 'RECONCILE_TASK_FOLDER',
    payload: { evidence_id: evidenceId },
    priority: PRIORITY.content,
    dedupeKey: `reconcile ${evidenceId}`,
    itemKey: driveFileId === null ? `evidence ${evidenceId}` : `file ${driveFileId}`,
  };
}

export function importDriveFile(tenantId: number, driveFileId: string): NewJob {
  return fileJob(tenantId, 'IMPORT_DRIVE_FILE', 'import', driveFileId);
}

export function softDeleteEvidence(tenantId: number, driveFileId: string): NewJob {
  return fileJob(tenantId, 'SOFT_DELETE_EVIDENCE', 'delete', driveFileId);
}

export function archiveDriveFile(tenantId: number, driveFileId: string): NewJob {
  return fileJob(tenantId, 'ARCHIVE_DRIVE_FILE', 'archive', driveFileId);
}

function fileJob(tenantId: number, type: NewJob['type'], verb: string, driveFileId: string): NewJob {
  return {
    tenantId,
    type,
    payload: { drive_file_id: driveFileId },
    priority: PRIORITY.content,
    dedupeKey: `${verb} ${driveFileId}`,
    itemKey: `file ${driveFileId}`,
  };
}
