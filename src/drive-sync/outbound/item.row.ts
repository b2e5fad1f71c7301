// Outbound. The stored shape of an item.
import type { Item, ItemKind, ItemState } from '../domain/item';

export interface ItemRow {
  readonly tenant_id: number;
  readonly drive_file_id: string;
  readonly kind: ItemKind;
  readonly subject_id: string | null;
  readonly parent_id: string | null;
  readonly target_id: string | null;
  readonly state: ItemState;
  readonly name: string;
  readonly our_name: string | null;
  readonly our_sha256: string | null;
  readonly revision: string | null;
  readonly version: string | null;
  readonly problem: string | null;
  readonly problem_revision: string | null;
}

/** In the order of `itemValues`. */
export const ITEM_COLUMNS = `tenant_id, drive_file_id, kind, subject_id, parent_id, target_id, state, name, our_name,
    our_sha256, revision, version, problem, problem_revision, updated_at`;

export function itemValues(item: Item, now: Date): unknown[] {
  const { tenantId, driveFileId, kind, subjectId, parentId, targetId, state, name, ourName, ourSha256 } = item;
  const { revision, version, problem, problemRevision } = item;
  const known = [tenantId, driveFileId, kind, subjectId, parentId, targetId, state, name, ourName, ourSha256];
  return [...known, revision, version, problem, problemRevision, now];
}

export function toItem(row: ItemRow): Item {
  return {
    tenantId: row.tenant_id,
    driveFileId: row.drive_file_id,
    kind: row.kind,
    subjectId: row.subject_id,
    parentId: row.parent_id,
    targetId: row.target_id,
    state: row.state,
    name: row.name,
    ourName: row.our_name,
    ourSha256: row.our_sha256,
    revision: row.revision,
    version: row.version === null ? null : Number(row.version),
    problem: row.problem,
    problemRevision: row.problem_revision,
  };
}
