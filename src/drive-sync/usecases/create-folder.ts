// One folder, and those above it.
import { text, type ClaimedJob } from '../domain/job';
import type { Catalogue } from '../ports/catalogue';
import type { JobContext, JobHandler } from './job-handlers';
import type { KeepFolders } from './keep-folders';
import { openProject } from './open-project';

/** One folder: the root, a project's, or a task's. Those above it are looked at, too. */
export class CreateFolder implements JobHandler {
  readonly type = 'CREATE_FOLDER';

  constructor(
    private readonly catalogue: Catalogue,
    private readonly folders: KeepFolders,
  ) {}

  async run({ tenantId, payload }: ClaimedJob, { drive, now }: JobContext): Promise<void> {
    if (payload.project_id === undefined) return void (await this.folders.root(drive, now, true));
    const project = await openProject(this.catalogue, tenantId, payload);
    if (project === null) return;
    if (payload.task_id === undefined) return void (await this.folders.project(drive, project, now, true));
    const task = await this.catalogue.task(tenantId, text(payload, 'task_id'));
    if (task !== null) await this.folders.task(drive, project, task, now, true);
  }
}
