// Domain: what a change in Drive means for us. Pure: the same change asks for the same jobs however often it is read, and
// our own writes that come back ask for nothing.
import { isFolder, revisionOf, thrownAway, type DriveChange, type DriveFile } from './drive-file';
import type { Item } from './item';
import type { NewJob } from './job';
import { createFolder, importDriveFile, initProjectFolders, renameFolder, softDeleteEvidence } from './jobs';

export interface Known {
  /** The item of the changed file, and of shortcuts that show its content. */
  readonly item: Item | null;
  readonly shortcuts: readonly Item[];
  /** The item of the folder that it is in now. */
  readonly parent: Item | null;
  /** The project of a task's folder. */
  readonly projectOf: (item: Item) => string | null;
}

export function effectOf(tenantId: number, change: DriveChange, known: Known): NewJob[] {
  const { item, parent } = known;
  const shown = known.shortcuts
    .filter(
      ({ state, revision }) => state === 'present' && (change.file === null || revisionOf(change.file) !== revision),
    )
    .map(({ driveFileId }) => importDriveFile(tenantId, driveFileId));
  return [...shown, ...own(tenantId, change, item, parent, known.projectOf)];
}

function own(
  tenantId: number,
  { fileId, removed, file }: DriveChange,
  item: Item | null,
  parent: Item | null,
  projectOf: Known['projectOf'],
): NewJob[] {
  if (item !== null && item.kind !== 'file') {
    return folderEffect(tenantId, file, removed || file === null || file.trashed, item, projectOf);
  }
  const ours = holdsEvidence(parent) ? parent : null;
  const gone = removed || file === null || thrownAway(file, ours !== null);
  if (item === null) {
    return gone || ours === null || isFolder(file) ? [] : [importDriveFile(tenantId, fileId)];
  }
  if (gone || ours === null) return item.state === 'gone' ? [] : [softDeleteEvidence(tenantId, fileId)];
  return isEcho(item, file) ? [] : [importDriveFile(tenantId, fileId)];
}

/** Of a task, or of a project for evidence without a task. */
export function holdsEvidence(folder: Item | null): folder is Item {
  return (folder?.kind === 'task' || folder?.kind === 'project') && folder.state === 'present';
}

/** Our folders are the house's order: what is thrown away or moved comes back, a new name is taken over. */
function folderEffect(
  tenantId: number,
  file: DriveFile | null,
  gone: boolean,
  item: Item,
  projectOf: Known['projectOf'],
): NewJob[] {
  const subject = item.subjectId ?? '';
  if (item.state === 'gone') return [];
  const displaced = gone || file === null || (item.kind !== 'root' && file.parentId !== item.parentId);
  if (item.kind === 'root') return displaced ? [createFolder(tenantId)] : [];
  if (displaced) {
    const project = item.kind === 'project' ? subject : projectOf(item);
    if (project === null) return [];
    return item.kind === 'project'
      ? [initProjectFolders(tenantId, subject)]
      : [createFolder(tenantId, project, subject)];
  }
  return file.name === item.name ? [] : [renameFolder(tenantId, item.kind === 'task' ? 'task' : 'project', subject)];
}

/** Nothing that we did not write, or read, ourselves. */
function isEcho(item: Item, file: DriveFile): boolean {
  if (item.state !== 'present' || item.parentId !== file.parentId || item.name !== file.name) return false;
  const revision = revisionOf(file);
  return item.targetId !== null || item.revision === revision || item.problemRevision === revision;
}
