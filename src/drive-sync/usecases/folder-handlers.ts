// The handlers of folders: made, mended, renamed.
import type { CatalogueProject } from '../domain/catalogue-entry';
import { text, type ClaimedJob, type JobPayload } from '../domain/job';
import { reconcileTaskFolder } from '../domain/jobs';
import { nameSide } from '../domain/file-merge';
import type { Catalogue } from '../ports/catalogue';
import type { Drive } from '../ports/drive';
import type { ItemIndex } from '../ports/item-index';
import type { JobQueue } from '../ports/job-queue';
import { systemActor } from '../../kernel/actor';
import type { JobContext, JobHandler } from './handlers';
import { found, type KeepFolders } from './keep-folders';

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

/** The folder's name and the name in the catalogue: whoever changed it gives it to the other; Horarium, when both did. */
export class RenameFolder implements JobHandler {
  readonly type = 'RENAME_FOLDER';

  constructor(
    private readonly catalogue: Catalogue,
    private readonly items: ItemIndex,
  ) {}

  async run({ tenantId, payload }: ClaimedJob, { drive, now }: JobContext): Promise<void> {
    const kind = text(payload, 'kind') === 'task' ? 'task' : 'project';
    const subject = text(payload, 'subject_id');
    const item = await this.items.bySubject(tenantId, kind, subject);
    const ours =
      kind === 'task' ? await this.catalogue.task(tenantId, subject) : await this.catalogue.project(tenantId, subject);
    if (item?.state !== 'present' || ours === null) return;
    const file = await found(drive, item.driveFileId);
    if (file === null || file.trashed) return;
    let [name, ourName] = [file.name, ours.name];
    const side = nameSide(item, ours, file);
    if (side === 'push') name = (await renamed(drive, file.id, ours.name)).name;
    else if (side === 'pull') ourName = await this.catalogue.renameFolder(tenantId, kind, subject, file.name, now);
    await this.items.save({ ...item, name, ourName }, now);
  }
}

function renamed(drive: Drive, id: string, name: string) {
  return drive.edit(id, { name });
}

/** Null: absent or archived, hence nothing is changed for it any more. */
export async function openProject(
  catalogue: Catalogue,
  tenantId: number,
  payload: JobPayload,
): Promise<CatalogueProject | null> {
  const project = await catalogue.project(tenantId, text(payload, 'project_id'));
  return project === null || project.archived ? null : project;
}
