// A file left our folders: trashed, deleted, moved away. What is right is decided by what both sides are when the job runs (settle-file.ts), so that a late or doubled job
// undoes nothing.
import { text, type ClaimedJob } from '../domain/job';
import type { JobContext, JobHandler } from './job-handlers';
import type { SettleFile } from './settle-file';

export class SoftDeleteEvidence implements JobHandler {
  readonly type = 'SOFT_DELETE_EVIDENCE';

  constructor(private readonly settle: SettleFile) {}

  run({ payload }: ClaimedJob, { drive, now }: JobContext): Promise<void> {
    return this.settle.run(drive, text(payload, 'drive_file_id'), now);
  }
}
