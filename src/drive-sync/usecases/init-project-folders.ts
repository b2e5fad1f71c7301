// All folders of a project, and what is in them.
import { systemActor } from '../../kernel/actor';
import type { ClaimedJob } from '../domain/job';
import { reconcileTaskFolder } from '../domain/jobs';
import type { Catalogue } from '../ports/catalogue';
import type { ItemIndex } from '../ports/item-index';
import type { JobQueue } from '../ports/job-queue';
import type { JobContext, JobHandler } from './job-handlers';
import type { KeepFolders } from './keep-folders';
import { openProject } from './open-project';

const ACTOR = systemActor('drive: folders');
const PAGE = 500;

/** All folders of a project; then what is in them. */
export class InitProjectFolders implements JobHandler {
  readonly type = 'INIT_PROJECT_FOLDERS';

  constructor(
    private readonly catalogue: Catalogue,
    private readonly items: ItemIndex,
    private readonly folders: KeepFolders,
    private readonly queue: JobQueue,
  ) {}

  async run({ tenantId, payload }: ClaimedJob, { drive, now, signal }: JobContext): Promise<void> {
    const project = await openProject(this.catalogue, tenantId, payload);
    if (project === null) return;
    await this.folders.root(drive, now, true);
    const { driveFileId: home } = await this.folders.project(drive, project, now, true);
    const tasks = await this.catalogue.tasks(tenantId, project.id);
    for (const task of tasks) {
      signal.throwIfAborted();
      await this.folders.task(drive, project, task, now, true);
    }
    const inside = [null, ...tasks.map(({ id }) => id), ...(await this.stale(tenantId, home, tasks))];
    await this.queue.enqueue(
      ACTOR,
      inside.map((id) => reconcileTaskFolder(tenantId, project.id, id)),
      now,
    );
  }

  /** Tasks that were deleted while nobody was told, and have their folders still. */
  private async stale(tenantId: number, home: string, tasks: readonly { readonly id: string }[]): Promise<string[]> {
    const alive = new Set(tasks.map(({ id }) => id));
    const stale: string[] = [];
    for (let after = ''; ;) {
      const page = await this.items.inFolder(tenantId, home, after, PAGE);
      for (const { kind, subjectId } of page) {
        if (kind === 'task' && subjectId !== null && !alive.has(subjectId)) stale.push(subjectId);
      }
      if (page.length < PAGE) return stale;
      after = page.at(-1)?.driveFileId ?? '';
    }
  }
}
