// Domain: a file in Drive and its evidence, when one of the two has changed. Three states are compared, as in any merge:
// what both sides were (the item), what Horarium has now, what Drive has now. Pure, hence the same however often it is asked.
import { revisionOf, takesContent, type DriveFile } from './drive-file';
import type { CatalogueEvidence } from './catalogue-entry';
import type { Item } from './item';

export type Presence =
  /** Both have it. */
  | 'both'
  | 'trash-in-drive'
  | 'delete-evidence'
  | 'bring-back-in-drive'
  | 'restore-evidence'
  /** Neither has it. */
  | 'neither';

/** Whoever changed since both were the same decides; when both did, the one who removed it: that can be undone. */
export function presence(base: Item['state'] | null, ours: boolean, theirs: boolean): Presence {
  if (ours && theirs) return 'both';
  if (!ours && !theirs) return 'neither';
  if (base === 'gone') return ours ? 'bring-back-in-drive' : 'restore-evidence';
  return ours ? 'delete-evidence' : 'trash-in-drive';
}

export type Side = 'none' | 'push' | 'pull';

/** For a name or a place: who changed it since both were the same; when both did, Horarium's stands. */
export function changedBy(ours: boolean, theirs: boolean): Side {
  if (ours) return 'push';
  return theirs ? 'pull' : 'none';
}

export function nameSide(item: Item, evidence: { readonly name: string }, file: DriveFile): Side {
  return changedBy(item.ourName !== null && evidence.name !== item.ourName, file.name !== item.name);
}

/**
 * Contents are the same when their checksums are, whatever was written down before. When both changed, Horarium's stands:
 * Drive keeps the other one as an earlier version, we would not.
 */
export function contentSide(item: Item, evidence: CatalogueEvidence, file: DriveFile): Side {
  if (file.sha256 !== null && file.sha256 === evidence.sha256) return 'none';
  const ours = item.ourSha256 !== null && evidence.sha256 !== item.ourSha256;
  return changedBy(ours && takesContent(file), item.revision !== revisionOf(file));
}
