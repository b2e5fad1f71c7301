// Evidence that is to be in Drive: uploaded once, whoever asks and however often; brought back; given new content.
import { systemActor } from '../../kernel/actor';
import type { CatalogueEvidence } from '../domain/catalogue-entry';
import { DriveProblemError } from '../domain/drive-problem';
import { revisionOf, type DriveFile } from '../domain/drive-file';
import { newItem, type Item } from '../domain/item';
import { archiveDriveFile, reconcileEvidence } from '../domain/jobs';
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
    const known = await this.items.bySubject(tenantId, 'file', evidence.id);
    if (known !== null && known.state !== 'creating') return;
    const sent = await this.send(drive, known, evidence, now);
    if (sent === null) return;
    const { item, file, adopted } = sent;
    await this.catalogue.linkFile(tenantId, evidence.id, file.id);
    await this.items.save(adopted ? asReserved(item, file) : settled(item, file, evidence), now);
    await this.lookAgain(drive, evidence, file, adopted, now);
  }

  /** What happened to it while it was uploaded, or since an upload whose answer was lost, found no file to do it to. */
  private async lookAgain(drive: Drive, evidence: CatalogueEvidence, file: DriveFile, adopted: boolean, now: Date) {
    const { tenantId } = drive;
    const after = await this.catalogue.evidence(tenantId, evidence.id);
    if (after === null || after.deleted) {
      await this.queue.enqueue(ACTOR, [archiveDriveFile(tenantId, file.id)], now);
    } else if (adopted || file.trashed || after.taskId !== evidence.taskId) {
      await this.queue.enqueue(ACTOR, [reconcileEvidence(tenantId, evidence.id, file.id)], now);
    }
  }

  /** Null: its project or task is closed. A folder that is known and not there any more is looked after once. */
  private async send(drive: Drive, known: Item | null, evidence: CatalogueEvidence, now: Date) {
    for (let sure = false; ; sure = true) {
      const folder = await this.folderOf(drive, evidence, now, sure);
      if (folder === null) return null;
      const item = known ?? (await this.reserve(drive, evidence, now));
      try {
        return { item, ...(await this.upload(drive, item, evidence, folder)) };
      } catch (error) {
        if (sure || !(error instanceof DriveProblemError) || error.problem !== 'not-found') throw error;
      }
    }
  }

  /**
   * Out of the trash, back from another folder, or uploaded anew when it is deleted for good. Answers the file as it is
   * then, for what else is different; null when there is nothing more to compare.
   */
  async bringBack(
    drive: Drive,
    item: Item | null,
    file: DriveFile | null,
    evidence: CatalogueEvidence,
    now: Date,
  ): Promise<DriveFile | null> {
    const { tenantId } = drive;
    const folder = await this.folderOf(drive, evidence, now);
    if (folder === null) return null;
    if (file === null || item === null) {
      // In this order: evidence that names a file of which we know nothing would be taken for one that was deleted there.
      await this.catalogue.linkFile(tenantId, evidence.id, null);
      if (item !== null) await this.items.remove(tenantId, item.driveFileId);
      await this.run(drive, { ...evidence, driveFileId: null }, now);
      return null;
    }
    let back = file;
    if (back.explicitlyTrashed) back = await drive.edit(back.id, { trashed: false });
    if (back.parentId !== folder) back = await drive.edit(back.id, { move: { from: back.parentId ?? '', to: folder } });
    await this.items.save({ ...item, state: 'present', parentId: folder }, now);
    return back;
  }

  async replace(drive: Drive, item: Item, evidence: CatalogueEvidence, now: Date): Promise<void> {
    const content = await this.catalogue.content(drive.tenantId, evidence.id);
    const file = await drive.replace(item.driveFileId, { mimeType: evidence.mimeType, size: evidence.size }, content);
    await this.items.save(settled(item, file, evidence), now);
  }

  private async reserve(drive: Drive, evidence: CatalogueEvidence, now: Date): Promise<Item> {
    const [driveFileId = ''] = await drive.newIds(1);
    const { tenantId } = drive;
    const { id: subjectId, name, sha256: ourSha256 } = evidence;
    return this.items.reserve(
      newItem({ tenantId, driveFileId, kind: 'file', subjectId, name, state: 'creating', ourName: name, ourSha256 }),
      now,
    );
  }

  private async upload(
    drive: Drive,
    { driveFileId: id }: Item,
    evidence: CatalogueEvidence,
    folder: string,
  ): Promise<{ file: DriveFile; adopted: boolean }> {
    const { name, mimeType, size } = evidence;
    const content = await this.catalogue.content(drive.tenantId, evidence.id);
    try {
      const asked = { id, name, mimeType, size, parentId: folder, mark: `evidence ${evidence.id}` };
      return { file: await drive.upload(asked, content), adopted: false };
    } catch (error) {
      if (!(error instanceof DriveProblemError) || error.problem !== 'exists') throw error;
      return { file: await drive.file(id), adopted: true };
    }
  }

  /** Null: its project or task is closed, and nothing is put there any more. */
  private async folderOf(drive: Drive, evidence: CatalogueEvidence, now: Date, sure = false): Promise<string | null> {
    const { tenantId } = drive;
    const project = await this.catalogue.project(tenantId, evidence.projectId);
    if (project === null || project.archived) return null;
    if (evidence.taskId === null) return (await this.folders.project(drive, project, now, sure)).driveFileId;
    const task = await this.catalogue.task(tenantId, evidence.taskId);
    return task === null ? null : (await this.folders.task(drive, project, task, now, sure)).driveFileId;
  }
}

/**
 * A file that an upload made whose answer was lost. The evidence, and the file, may have changed since: what was reserved
 * is what both were, and the comparison that follows does the rest.
 */
function asReserved(item: Item, file: DriveFile): Item {
  const asSent = file.sha256 === null || file.sha256 === item.ourSha256;
  const revision = asSent ? revisionOf(file) : null;
  return { ...item, state: 'present', parentId: file.parentId, revision, version: file.version };
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
