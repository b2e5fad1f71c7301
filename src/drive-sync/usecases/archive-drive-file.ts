// Its evidence was deleted here: the file goes to Drive's trash, whence a person can take it back. What is right is decided by what both sides are when the job runs (settle-file.ts), so that a late or doubled job
// undoes nothing.
import { text, type ClaimedJob } from '../domain/job';
import type { JobContext, JobHandler } from './job-handlers';
import type { SettleFile } from './settle-file';

export class ArchiveDriveFile implements JobHandler {
  readonly type = 'ARCHIVE_DRIVE_FILE';

  constructor(private readonly settle: SettleFile) {}

  run({ payload }: ClaimedJob, { drive, now }: JobContext): Promise<void> {
    return this.settle.run(drive, text(payload, 'drive_file_id'), now);
  }
}
