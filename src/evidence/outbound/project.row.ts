// Outbound. Rows of projects and project_tasks, column by column.
import type { Project, ProjectTask } from '../domain/project';

export interface ProjectRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly name: string;
  readonly drive_folder_id: string | null;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly archived_at: Date | null;
}

export interface ProjectTaskRow {
  readonly id: string;
  readonly tenant_id: number;
  readonly project_id: string;
  readonly name: string;
  readonly control_family: string | null;
  readonly drive_folder_id: string | null;
  readonly created_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

export function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    driveFolderId: row.drive_folder_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
  };
}

export function toProjectTask(row: ProjectTaskRow): ProjectTask {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    projectId: row.project_id,
    name: row.name,
    controlFamily: row.control_family,
    driveFolderId: row.drive_folder_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}
