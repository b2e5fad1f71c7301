// Evidence that is to be in Drive: uploaded once, whoever asks and however often; brought back; given new content.
import { systemActor } from '../../kernel/actor';
import type { CatalogueEvidence } from '../domain/catalogue-entry';
import { DriveProblemError } from '../domain/drive-problem';
import { revisionOf, type DriveFile } from '../domain/drive-file';
import { newItem, type Item } from '../domain/item';
import { archiveDriveFile } from '../domain/jobs';
import type { Catalogue } from '../ports/catalogue';
import type { Drive } from '../ports/drive';
import type { ItemIndex } from '../ports/item-index';
import type { JobQueue } from '../ports/job-queue';
import type { KeepFolders } from './keep-folders';

const ACTOR = systemActor('drive: upload');

export class PushEvidence {
  constructor(
    private readonly items: ItemIndex,
    private readonly catalogue: Catalogue,
    private readonly folders: KeepFolders,
    private readonly queue: JobQueue,
  ) {}

  /** Nothing to do for what is there already: SettleFile keeps that the same. */
  async run(drive: Drive, evidence: CatalogueEvidence, now: Date): Promise<void> {
    const { tenantId } = drive;
    const folder = await this.folderOf(drive, evidence, now);
    if (folder === null) return;
    const known = await this.items.bySubject(tenantId, 'file', evidence.id);
    if (known !== null && known.state !== 'creating') return;
    const item = known ?? (await this.reserve(drive, evidence, now));
    const file = await this.upload(drive, item, evidence, folder);
    await this.catalogue.linkFile(tenantId, evidence.id, file.id);
    await this.items.save(settled(item, file, evidence), now);
    // It may have been deleted while it was uploaded: that event found no file to archive.
    const after = await this.catalogue.evidence(tenantId, evidence.id);
    if (after === null || after.deleted) await this.queue.enqueue(ACTOR, [archiveDriveFile(tenantId, file.id)], now);
  }

  /** Out of the trash, back from another folder, or uploaded anew when it is deleted for good. */
  async bringBack(
    drive: Drive,
    item: Item | null,
    file: DriveFile | null,
    evidence: CatalogueEvidence,
    now: Date,
  ): Promise<void> {
    const { tenantId } = drive;
    const folder = await this.folderOf(drive, evidence, now);
    if (folder === null) return;
    if (file === null || item === null) {
      if (item !== null) await this.items.remove(tenantId, item.driveFileId);
      await this.catalogue.linkFile(tenantId, evidence.id, null);
      return this.run(drive, { ...evidence, driveFileId: null }, now);
    }
    let back = file;
    if (back.explicitlyTrashed) back = await drive.edit(back.id, { trashed: false });
    if (back.parentId !== folder) back = await drive.edit(back.id, { move: { from: back.parentId ?? '', to: folder } });
    await this.items.save(
      { ...item, state: 'present', parentId: folder, name: back.name, ourName: evidence.name },
      now,
    );
  }

  async replace(drive: Drive, item: Item, evidence: CatalogueEvidence, now: Date): Promise<void> {
    const content = await this.catalogue.content(drive.tenantId, evidence.id);
    const file = await drive.replace(item.driveFileId, { mimeType: evidence.mimeType, size: evidence.size }, content);
    await this.items.save(settled(item, file, evidence), now);
  }

  private async reserve(drive: Drive, evidence: CatalogueEvidence, now: Date): Promise<Item> {
    const [driveFileId = ''] = await drive.newIds(1);
    const { tenantId } = drive;
    const { id: subjectId, name } = evidence;
    return this.items.reserve(
      newItem({ tenantId, driveFileId, kind: 'file', subjectId, name, state: 'creating' }),
      now,
    );
  }

  private async upload(
    drive: Drive,
    { driveFileId: id }: Item,
    evidence: CatalogueEvidence,
    folder: string,
  ): Promise<DriveFile> {
    const { name, mimeType, size } = evidence;
    const content = await this.catalogue.content(drive.tenantId, evidence.id);
    try {
      return await drive.upload(
        { id, name, mimeType, size, parentId: folder, mark: `evidence ${evidence.id}` },
        content,
      );
    } catch (error) {
      if (error instanceof DriveProblemError && error.problem === 'exists') return drive.file(id);
      throw error;
    }
  }

  /** Null: its project or task is closed, and nothing is put there any more. */
  private async folderOf(drive: Drive, evidence: CatalogueEvidence, now: Date): Promise<string | null> {
    const { tenantId } = drive;
    const project = await this.catalogue.project(tenantId, evidence.projectId);
    if (project === null || project.archived) return null;
    if (evidence.taskId === null) return (await this.folders.project(drive, project, now)).driveFileId;
    const task = await this.catalogue.task(tenantId, evidence.taskId);
    return task === null ? null : (await this.folders.task(drive, project, task, now)).driveFileId;
  }
}

function settled(item: Item, file: DriveFile, evidence: CatalogueEvidence): Item {
  return {
    ...item,
    subjectId: evidence.id,
    state: file.trashed ? 'gone' : 'present',
    parentId: file.parentId,
    name: file.name,
    ourName: evidence.name,
    ourSha256: evidence.sha256,
    revision: revisionOf(file),
    version: file.version,
  };
}
