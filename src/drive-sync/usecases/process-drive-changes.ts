// Reads what changed in Drive since the token that we kept, and queues what that means. The token is stored after the
// effects of its page: a crash in between reads the page again, and queues nothing twice.
import { systemActor } from '../../kernel/actor';
import { DriveProblemError } from '../domain/drive-problem';
import { effectOf } from '../domain/effect';
import type { DriveChange } from '../domain/drive-file';
import type { Item } from '../domain/item';
import type { ClaimedJob, NewJob } from '../domain/job';
import type { Drive } from '../ports/drive';
import type { IntegrationRepository } from '../ports/integration-repository';
import type { ItemIndex } from '../ports/item-index';
import type { JobQueue } from '../ports/job-queue';
import type { WorkerLog } from '../ports/worker-log';
import type { JobContext, JobHandler } from './job-handlers';
import type { RebuildTenant } from './rebuild-tenant';

const ACTOR = systemActor('drive: changes');

export class ProcessDriveChanges implements JobHandler {
  readonly type = 'PROCESS_DRIVE_CHANGES';

  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly items: ItemIndex,
    private readonly queue: JobQueue,
    private readonly rebuild: RebuildTenant,
    private readonly log: WorkerLog,
  ) {}

  async run({ tenantId }: ClaimedJob, { drive, now, signal }: JobContext): Promise<void> {
    const integration = await this.integrations.find(ACTOR, tenantId);
    if (integration === null || integration.generation !== drive.generation) return;
    let token = integration.pageToken;
    if (token === null) return this.rescan(drive, now);
    for (let last = false; !last;) {
      signal.throwIfAborted();
      const page = await this.page(drive, token);
      if (page === null) return this.rescan(drive, now);
      await this.queue.enqueue(ACTOR, await this.effects(tenantId, page.changes), now);
      ({ next: token, last } = page);
      if (!(await this.integrations.saveToken(tenantId, drive.generation, token, last ? now : null))) return;
    }
  }

  /** Null: Drive does not know the token, or the drive, any more. */
  private async page(drive: Drive, token: string) {
    try {
      return await drive.changes(token);
    } catch (error) {
      const lost = ['bad-page-token', 'not-found'];
      if (error instanceof DriveProblemError && lost.includes(error.problem)) return null;
      throw error;
    }
  }

  /** The new token first: what changes while we compare is read with it. What we know is kept, and compared with. */
  private async rescan(drive: Drive, now: Date): Promise<void> {
    this.log.warn(`Tenant ${drive.tenantId}: the change feed has to begin anew; every folder is compared.`);
    const token = await drive.startPageToken();
    await this.rebuild.run(drive.tenantId, now);
    await this.integrations.saveToken(drive.tenantId, drive.generation, token, now);
  }

  private async effects(tenantId: number, changes: readonly DriveChange[]): Promise<NewJob[]> {
    const known = await this.lookUp(
      tenantId,
      changes.flatMap(({ fileId, file }) => [fileId, file?.parentId ?? '']),
    );
    const above = await this.lookUp(
      tenantId,
      [...known.values()].map(({ parentId }) => parentId ?? ''),
    );
    const shortcuts = await this.items.showing(
      tenantId,
      changes.map(({ fileId }) => fileId),
    );
    const projectOf = (item: Item): string | null => {
      const folder = above.get(item.parentId ?? '');
      return folder?.kind === 'project' ? folder.subjectId : null;
    };
    return changes.flatMap((change) =>
      effectOf(tenantId, change, {
        item: known.get(change.fileId) ?? null,
        parent: known.get(change.file?.parentId ?? '') ?? null,
        shortcuts: shortcuts.filter(({ targetId }) => targetId === change.fileId),
        projectOf,
      }),
    );
  }

  private async lookUp(tenantId: number, ids: readonly string[]): Promise<Map<string, Item>> {
    const wanted = [...new Set(ids)].filter((id) => id !== '');
    const items = wanted.length === 0 ? [] : await this.items.findMany(tenantId, wanted);
    return new Map(items.map((item) => [item.driveFileId, item]));
  }
}
