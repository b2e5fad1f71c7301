// The content of a file in Drive: downloaded, exported when it is a native document, that of its target when it is a
// shortcut. What can never be had is told apart from what may come.
import { DomainError } from '../../kernel/domain-error';
import { DriveProblemError } from '../domain/drive-problem';
import { exportOf, revisionOf, SHORTCUT_TYPE, type DriveFile } from '../domain/drive-file';
import type { SyncPolicy } from '../domain/sync-policy';
import type { Content } from '../domain/content';
import type { Drive } from '../ports/drive';

/** About this file, and for good: it is not tried again before it changes. */
export class NotTakenError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'drive-sync.not-taken';
}

export interface Fetched {
  readonly content: Content;
  readonly mimeType: string;
  readonly targetId: string | null;
  readonly revision: string;
}

const LONGEST_CHAIN = 3;

export class FetchContent {
  constructor(private readonly policy: SyncPolicy) {}

  async of(drive: Drive, file: DriveFile): Promise<Fetched> {
    const revision = revisionOf(file);
    if (file.mimeType !== SHORTCUT_TYPE) return { ...(await this.plain(drive, file)), targetId: null, revision };
    const target = await this.targetOf(drive, file);
    return { ...(await this.plain(drive, target)), targetId: target.id, revision: revisionOf(target) };
  }

  /** Why it can never be had; null: it may come. */
  permanent(error: unknown): string | null {
    if (error instanceof NotTakenError) return error.message;
    if (error instanceof DomainError && error.kind === 'too-large') return error.message;
    if (!(error instanceof DriveProblemError)) return null;
    return error.problem === 'item' ? error.message : null;
  }

  private async plain(drive: Drive, file: DriveFile): Promise<{ content: Content; mimeType: string }> {
    const form = exportOf(file);
    if (form === 'none') throw new NotTakenError(`A file of the type ${file.mimeType} has no form outside of Drive.`);
    if (form !== null) return { content: await drive.export(file.id, form.mimeType), mimeType: form.mimeType };
    if (file.size !== null && file.size > this.policy.maxFileBytes) {
      const limit = Math.floor(this.policy.maxFileBytes / 1_048_576);
      throw new NotTakenError(`The file has ${file.size} bytes; the limit is ${limit} MiB.`);
    }
    return { content: await drive.download(file.id), mimeType: file.mimeType };
  }

  private async targetOf(drive: Drive, file: DriveFile): Promise<DriveFile> {
    let target = file;
    for (let step = 0; target.mimeType === SHORTCUT_TYPE; step++) {
      if (target.targetId === null || step === LONGEST_CHAIN) throw new NotTakenError('The shortcut leads nowhere.');
      target = await drive.file(target.targetId);
    }
    if (target.trashed) throw new NotTakenError('What the shortcut shows is in the trash.');
    return target;
  }
}
