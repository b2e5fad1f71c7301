// A folder's name, and its project's or task's.
import { text, type ClaimedJob } from '../domain/job';
import { nameSide } from '../domain/file-merge';
import type { Catalogue } from '../ports/catalogue';
import type { Drive } from '../ports/drive';
import type { ItemIndex } from '../ports/item-index';
import type { JobContext, JobHandler } from './job-handlers';
import { found } from './keep-folders';

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
