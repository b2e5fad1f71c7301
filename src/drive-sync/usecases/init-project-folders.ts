// All folders of a project, and what is in them.
import { systemActor } from '../../kernel/actor';
import type { ClaimedJob } from '../domain/job';
import { reconcileTaskFolder } from '../domain/jobs';
import type { Catalogue } from '../ports/catalogue';
import type { JobQueue } from '../ports/job-queue';
import type { JobContext, JobHandler } from './job-handlers';
import type { KeepFolders } from './keep-folders';
import { openProject } from './open-project';

const ACTOR = systemActor('drive: folders');

/** All folders of a project; then what is in them. */
export class InitProjectFolders implements JobHandler {
  readonly type = 'INIT_PROJECT_FOLDERS';

  constructor(
    private readonly catalogue: Catalogue,
    private readonly folders: KeepFolders,
    private readonly queue: JobQueue,
  ) {}

  async run({ tenantId, payload }: ClaimedJob, { drive, now, signal }: JobContext): Promise<void> {
    const project = await openProject(this.catalogue, tenantId, payload);
    if (project === null) return;
    await this.folders.root(drive, now, true);
    await this.folders.project(drive, project, now, true);
    const tasks = await this.catalogue.tasks(tenantId, project.id);
    for (const task of tasks) {
      signal.throwIfAborted();
      await this.folders.task(drive, project, task, now, true);
    }
    const inside = [null, ...tasks.map(({ id }) => id)].map((id) => reconcileTaskFolder(tenantId, project.id, id));
    await this.queue.enqueue(ACTOR, inside, now);
  }
}
