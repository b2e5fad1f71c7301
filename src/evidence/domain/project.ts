// Domain. What evidence is collected for: a project, and in it the tasks, each a control that is to be evidenced.

export interface Project {
  readonly id: string;
  readonly tenantId: number;
  readonly name: string;
  readonly driveFolderId: string | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Kept for reading; nothing is added to it any more. */
  readonly archivedAt: Date | null;
}

export interface ProjectTask {
  readonly id: string;
  readonly tenantId: number;
  readonly projectId: string;
  readonly name: string;
  /** Evidence that is classified as this family, and belongs to no task yet, belongs here: `AC`. */
  readonly controlFamily: string | null;
  readonly driveFolderId: string | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}
