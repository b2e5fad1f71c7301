// Inbound. What of a project and of its tasks may leave the house.
import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { Project, ProjectTask } from '../domain/project';

const MOMENT = '2026-08-01T09:00:00+00:00';
const TIME = { type: String, format: 'date-time', nullable: true, example: null } as const;
const TEXT = { type: String, nullable: true } as const;

export class ProjectResponse {
  @ApiProperty({ example: 'project-019870c2f3a47c1e8a5b0d6f2e4c9b70' })
  readonly id: string;

  @ApiProperty({ example: 'CMMC level 2, 2027' })
  readonly name: string;

  @ApiProperty({ ...TEXT, description: 'The folder of Google Drive that mirrors it.', example: null })
  readonly drive_folder_id: string | null;

  @ApiProperty({ ...TEXT, example: 'alice' })
  readonly created_by: string | null;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ example: MOMENT })
  readonly updated_at: string;

  @ApiProperty({ ...TIME, description: 'From then on nothing can be added to it.' })
  readonly archived_at: string | null;

  constructor(project: Project) {
    this.id = project.id;
    this.name = project.name;
    this.drive_folder_id = project.driveFolderId;
    this.created_by = project.createdBy;
    this.created_at = wireTime(project.createdAt);
    this.updated_at = wireTime(project.updatedAt);
    this.archived_at = wireTimeOrNull(project.archivedAt);
  }
}

export class ProjectTaskResponse {
  @ApiProperty({ example: 'project-task-019870c2f3a47c1e8a5b0d6f2e4c9b71' })
  readonly id: string;

  @ApiProperty({ example: 'project-019870c2f3a47c1e8a5b0d6f2e4c9b70' })
  readonly project_id: string;

  @ApiProperty({ example: 'Limit access to authorised users' })
  readonly name: string;

  @ApiProperty({ ...TEXT, example: 'AC' })
  readonly control_family: string | null;

  @ApiProperty({ ...TEXT, description: 'The folder of Google Drive that mirrors it.', example: null })
  readonly drive_folder_id: string | null;

  @ApiProperty({ example: MOMENT })
  readonly created_at: string;

  @ApiProperty({ example: MOMENT })
  readonly updated_at: string;

  constructor(task: ProjectTask) {
    this.id = task.id;
    this.project_id = task.projectId;
    this.name = task.name;
    this.control_family = task.controlFamily;
    this.drive_folder_id = task.driveFolderId;
    this.created_at = wireTime(task.createdAt);
    this.updated_at = wireTime(task.updatedAt);
  }
}
