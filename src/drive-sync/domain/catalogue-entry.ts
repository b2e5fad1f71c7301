// Domain: projects, tasks and evidence in the words of this feature. They belong to the feature evidence.

export interface CatalogueProject {
  readonly id: string;
  readonly name: string;
  readonly archived: boolean;
}

export interface CatalogueTask {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
}

export interface CatalogueEvidence {
  readonly id: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: string;
  readonly driveFileId: string | null;
  readonly deleted: boolean;
}
