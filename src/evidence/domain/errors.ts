// Domain. What can go wrong with projects and evidence, in our words.
import { DomainError } from '../../kernel/domain-error';

export class InvalidEvidenceError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'evidence.invalid';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

export class ProjectNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'evidence.project-not-found';
  constructor(id: string) {
    super(`There is no project "${id}". List the projects to see their ids.`);
  }
}

export class ProjectArchivedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'evidence.project-archived';
  constructor(id: string) {
    super(`Project ${id} is archived: it can be read, and nothing can be added to it.`);
  }
}

export class ProjectTaskNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'evidence.project-task-not-found';
  constructor(id: string, field?: string) {
    super(`There is no task "${id}" in this project.`, { field });
  }
}

export class EvidenceNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'evidence.not-found';
  constructor(id: string) {
    super(`There is no evidence "${id}".`);
  }
}

export class EvidenceDeletedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'evidence.deleted';
  constructor(id: string) {
    super(`Evidence ${id} is deleted. Restore it first.`);
  }
}

/** A file of Drive that is evidence already: whoever imported it a moment earlier has won. */
export class DriveFileTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'evidence.drive-file-taken';
  constructor(readonly driveFileId: string) {
    super(`The Drive file ${driveFileId} is evidence already.`, { field: 'drive_file_id' });
  }
}

export class DriveFolderTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'evidence.drive-folder-taken';
  constructor(driveFolderId: string) {
    super(`The Drive folder ${driveFolderId} belongs to something else already.`, { field: 'drive_folder_id' });
  }
}

export class FileTooLargeError extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'evidence.file-too-large';
  constructor(maxBytes: number) {
    super(`The file is larger than the limit of ${Math.floor(maxBytes / 1_048_576)} MiB.`, { field: 'file' });
  }
}

/** The bytes that a row speaks of are not where they were put. */
export class ContentMissingError extends DomainError {
  readonly kind = 'corrupt';
  readonly code = 'evidence.content-missing';
  constructor(id: string) {
    super(`The file of evidence ${id} is not in the store. Was the data folder moved, or the bucket changed?`);
  }
}

export class StoreUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'evidence.store-unavailable';
  constructor(reason: string, cause?: unknown) {
    super(`The store of files cannot be reached at the moment: ${reason}`, { cause });
  }
}
