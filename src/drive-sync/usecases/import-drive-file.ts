// A file came, changed, was renamed or moved in Drive. What is right is decided by what both sides are when the job runs (settle-file.ts), so that a late or doubled job
// undoes nothing.
import { text, type ClaimedJob } from '../domain/job';
import type { JobContext, JobHandler } from './job-handlers';
import type { SettleFile } from './settle-file';

export class ImportDriveFile implements JobHandler {
  readonly type = 'IMPORT_DRIVE_FILE';

  constructor(private readonly settle: SettleFile) {}

  run({ payload }: ClaimedJob, { drive, now }: JobContext): Promise<void> {
    return this.settle.run(drive, text(payload, 'drive_file_id'), now);
  }
}
