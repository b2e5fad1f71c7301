// One file of Drive and its evidence: makes both the same, by the rules of domain/file-merge.ts. The one place where files
// are imported, updated, renamed, moved, thrown away and brought back; the handlers of jobs say which file.
import { holdsEvidence } from '../domain/effect';
import { isFolder, nameInDrive, nameOutside, revisionOf, thrownAway, type DriveFile } from '../domain/drive-file';
import type { CatalogueEvidence } from '../domain/catalogue-entry';
import { changedBy, contentSide, nameSide, presence } from '../domain/file-merge';
import { newItem, type Item } from '../domain/item';
import type { Catalogue } from '../ports/catalogue';
import type { Drive } from '../ports/drive';
import type { ItemIndex } from '../ports/item-index';
import { FetchContent, NotTakenError } from './fetch-content';
import { found } from './keep-folders';
import type { PushEvidence } from './push-evidence';

interface Place {
  readonly projectId: string;
  readonly taskId: string | null;
}

export class SettleFile {
  constructor(
    private readonly items: ItemIndex,
    private readonly catalogue: Catalogue,
    private readonly contents: FetchContent,
    private readonly push: PushEvidence,
  ) {}

  async run(drive: Drive, driveFileId: string, now: Date): Promise<void> {
    const { tenantId } = drive;
    const item = await this.items.find(tenantId, driveFileId);
    if (item !== null && item.kind !== 'file') return;
    const file = await found(drive, driveFileId);
    if (file !== null && isFolder(file)) return;
    const place = file === null ? null : await this.placeOf(tenantId, file);
    const evidence = await this.evidenceOf(tenantId, driveFileId, item);
    if (evidence === null) {
      if (place !== null && file !== null) await this.importNew(drive, item, file, place, now);
      else if (item !== null) await this.items.save({ ...item, state: 'gone' }, now);
      return;
    }
    await this.merge(drive, item, file, place, evidence, now);
  }

  private async merge(
    drive: Drive,
    item: Item | null,
    file: DriveFile | null,
    place: Place | null,
    evidence: CatalogueEvidence,
    now: Date,
  ): Promise<void> {
    const { tenantId } = drive;
    const base = item?.state === 'creating' ? null : (item?.state ?? null);
    // Its evidence ended with the move to another project: half done before, or deleted here meanwhile. Not to be thrown away.
    if (
      evidence.deleted &&
      item !== null &&
      file !== null &&
      place !== null &&
      place.projectId !== evidence.projectId
    ) {
      return this.changeProject(drive, item, file, place, evidence, now);
    }
    switch (presence(base, !evidence.deleted, place !== null)) {
      case 'neither':
        return this.gone(tenantId, item, now);
      case 'delete-evidence':
        // Its upload has not been answered yet: nothing was there that could be missing now.
        if (item?.state === 'creating') return this.push.run(drive, evidence, now);
        await this.catalogue.softDelete(tenantId, evidence.id, now);
        return this.gone(tenantId, item, now);
      case 'trash-in-drive':
        if (file !== null) await drive.edit(file.id, { trashed: true });
        return this.gone(tenantId, item, now);
      case 'bring-back-in-drive': {
        const back = await this.push.bringBack(drive, item, file, evidence, now);
        if (back === null || item === null) return;
        return this.attributes(drive, { ...item, parentId: back.parentId }, back, evidence, evidence, now);
      }
      case 'restore-evidence':
        await this.catalogue.restore(tenantId, evidence.id, now);
        break;
      case 'both':
        break;
    }
    if (file !== null && place !== null)
      await this.attributes(drive, item, file, place, { ...evidence, deleted: false }, now);
  }

  private async attributes(
    drive: Drive,
    item: Item | null,
    file: DriveFile,
    place: Place,
    evidence: CatalogueEvidence,
    now: Date,
  ): Promise<void> {
    const { tenantId } = drive;
    const base = item ?? this.itemOf(tenantId, file, evidence);
    let ours = evidence;
    let theirs = file;
    const home = await this.folderOf(tenantId, ours);
    const where = changedBy(home !== null && home !== base.parentId, theirs.parentId !== base.parentId);
    if (where === 'push' && home !== null && home !== theirs.parentId) {
      theirs = await drive.edit(theirs.id, { move: { from: theirs.parentId ?? '', to: home } });
    } else if (where === 'pull' && place.projectId !== ours.projectId) {
      return this.changeProject(drive, base, file, place, ours, now);
    } else if (where === 'pull' && place.taskId !== ours.taskId) {
      ours = await this.catalogue.move(tenantId, ours.id, place.taskId, now);
    }
    const naming = nameSide(base, ours, theirs);
    if (naming === 'push') theirs = await drive.edit(theirs.id, { name: nameInDrive(theirs, ours.name) });
    else if (naming === 'pull') ours = await this.catalogue.rename(tenantId, ours.id, nameOutside(theirs), now);
    const saved: Item = {
      ...base,
      subjectId: ours.id,
      state: 'present',
      parentId: theirs.parentId,
      ...namesOf(theirs, ours),
    };
    await this.content(drive, saved, theirs, ours, now);
  }

  private async content(
    drive: Drive,
    item: Item,
    file: DriveFile,
    evidence: CatalogueEvidence,
    now: Date,
  ): Promise<void> {
    const side = contentSide(item, evidence, file);
    if (side === 'push') return this.push.replace(drive, item, evidence, now);
    if (side === 'none') {
      await this.items.save(
        { ...item, ourSha256: evidence.sha256, revision: revisionOf(file), version: file.version },
        now,
      );
      return;
    }
    await this.items.save({ ...item, ourSha256: evidence.sha256 }, now);
    if (item.problemRevision === revisionOf(file)) return;
    await this.taking(item, file, now, async () => {
      const { content, mimeType, targetId, revision } = await this.contents.of(drive, file);
      const changed = await this.catalogue.replaceContent(drive.tenantId, evidence.id, mimeType, content, now);
      await this.items.save({ ...item, targetId, revision, version: file.version, ourSha256: changed.sha256 }, now);
    });
  }

  /**
   * A piece of evidence stays in its project: in another one it begins anew, and here it has left. Cut off anywhere, the
   * next one comes here again: as long as the item names the old evidence, its project is not the one of the file.
   */
  private async changeProject(
    drive: Drive,
    item: Item,
    file: DriveFile,
    place: Place,
    evidence: CatalogueEvidence,
    now: Date,
  ): Promise<void> {
    await this.catalogue.softDelete(drive.tenantId, evidence.id, now);
    await this.catalogue.linkFile(drive.tenantId, evidence.id, null);
    await this.importNew(
      drive,
      { ...item, subjectId: null, revision: null, ourName: null, ourSha256: null },
      file,
      place,
      now,
    );
  }

  private async importNew(drive: Drive, item: Item | null, file: DriveFile, place: Place, now: Date): Promise<void> {
    const { tenantId } = drive;
    const base: Item = {
      ...(item ?? newItem({ tenantId, driveFileId: file.id, kind: 'file', name: file.name })),
      state: 'present',
      parentId: file.parentId,
      name: file.name,
    };
    if (base.problemRevision === revisionOf(file)) return;
    await this.items.save({ ...base, subjectId: null }, now);
    await this.taking(base, file, now, async () => {
      const { content, mimeType, targetId, revision } = await this.contents.of(drive, file);
      const asked = { ...place, name: nameOutside(file), mimeType, driveFileId: file.id };
      const added = await this.catalogue.add(tenantId, asked, content, now);
      if (added === null) throw new NotTakenError('Its project or task is closed.');
      await this.items.save(
        {
          ...base,
          ...namesOf(file, added),
          subjectId: added.id,
          targetId,
          revision,
          version: file.version,
          ourSha256: added.sha256,
          problem: null,
          problemRevision: null,
        },
        now,
      );
    });
  }

  /** What this file can never give is written down, and not tried again before it changes. */
  private async taking(item: Item, file: DriveFile, now: Date, take: () => Promise<void>): Promise<void> {
    try {
      await take();
    } catch (error) {
      const problem = this.contents.permanent(error);
      if (problem !== null) await this.items.save({ ...item, problem, problemRevision: revisionOf(file) }, now);
      throw error;
    }
  }

  private async gone(tenantId: number, item: Item | null, now: Date): Promise<void> {
    if (item !== null && item.state !== 'gone') await this.items.save({ ...item, tenantId, state: 'gone' }, now);
  }

  private async evidenceOf(
    tenantId: number,
    driveFileId: string,
    item: Item | null,
  ): Promise<CatalogueEvidence | null> {
    const subject = item?.subjectId ?? null;
    const known = subject === null ? null : await this.catalogue.evidence(tenantId, subject);
    return known ?? this.catalogue.byDriveFile(tenantId, driveFileId);
  }

  /** Null: in none of our folders, or thrown away. */
  private async placeOf(tenantId: number, file: DriveFile): Promise<Place | null> {
    const folder = file.parentId === null ? null : await this.items.find(tenantId, file.parentId);
    if (!holdsEvidence(folder) || thrownAway(file, true)) return null;
    if (folder.kind === 'project') return { projectId: folder.subjectId ?? '', taskId: null };
    const task = await this.catalogue.task(tenantId, folder.subjectId ?? '');
    return task === null ? null : { projectId: task.projectId, taskId: task.id };
  }

  private async folderOf(tenantId: number, { projectId, taskId }: CatalogueEvidence): Promise<string | null> {
    const folder =
      taskId === null
        ? await this.items.bySubject(tenantId, 'project', projectId)
        : await this.items.bySubject(tenantId, 'task', taskId);
    return folder?.state === 'present' ? folder.driveFileId : null;
  }

  /** For evidence whose item was not written when its import was cut off. */
  private itemOf(tenantId: number, file: DriveFile, evidence: CatalogueEvidence): Item {
    const { id: driveFileId, name, parentId } = file;
    return newItem({
      tenantId,
      driveFileId,
      kind: 'file',
      subjectId: evidence.id,
      name,
      parentId,
      ourName: evidence.name,
    });
  }
}

export function namesOf(file: DriveFile, evidence: CatalogueEvidence): Pick<Item, 'name' | 'ourName'> {
  return { name: file.name, ourName: evidence.name };
}
