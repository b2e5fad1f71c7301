// The three handlers of one file. They differ in why they were queued, not in what is right: that is decided by what both
// sides are when the job runs (settle-file.ts), so that a late or doubled job undoes nothing.
import { text, type ClaimedJob, type JobType } from '../domain/job';
import type { JobContext, JobHandler } from './handlers';
import type { SettleFile } from './settle-file';

abstract class FileHandler implements JobHandler {
  abstract readonly type: JobType;

  constructor(private readonly settle: SettleFile) {}

  run({ payload }: ClaimedJob, { drive, now }: JobContext): Promise<void> {
    return this.settle.run(drive, text(payload, 'drive_file_id'), now);
  }
}

/** A file came, changed, was renamed or moved in Drive. */
export class ImportDriveFile extends FileHandler {
  readonly type = 'IMPORT_DRIVE_FILE';
}

/** Its evidence was deleted here: the file goes to Drive's trash, whence a person can take it back. */
export class ArchiveDriveFile extends FileHandler {
  readonly type = 'ARCHIVE_DRIVE_FILE';
}

/** A file left our folders: trashed, deleted, moved away. */
export class SoftDeleteEvidence extends FileHandler {
  readonly type = 'SOFT_DELETE_EVIDENCE';
}
