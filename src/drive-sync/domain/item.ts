// Domain: what we know of one folder or file in Drive: the state in which both sides were last the same.

export type ItemKind = 'root' | 'project' | 'task' | 'file';

/** `creating`: the id is reserved, Drive was asked or will be. `gone`: in the trash, deleted, or out of our folders. */
export type ItemState = 'creating' | 'present' | 'gone';

export interface Item {
  readonly tenantId: number;
  readonly driveFileId: string;
  readonly kind: ItemKind;
  /** The project, task or evidence; `root` of the root; null for a file that could not become evidence. */
  readonly subjectId: string | null;
  /** The folder that it was in. */
  readonly parentId: string | null;
  /** Of a shortcut: whose content it shows. */
  readonly targetId: string | null;
  readonly state: ItemState;
  /** Its name in Drive, and in the catalogue, which may clean names. */
  readonly name: string;
  readonly ourName: string | null;
  readonly ourSha256: string | null;
  readonly revision: string | null;
  readonly version: number | null;
  /** Why it could not be taken over; holds for this revision only. */
  readonly problem: string | null;
  readonly problemRevision: string | null;
}

export function newItem(item: Pick<Item, 'tenantId' | 'driveFileId' | 'kind' | 'name'> & Partial<Item>): Item {
  return {
    subjectId: null,
    parentId: null,
    targetId: null,
    state: 'present',
    ourName: null,
    ourSha256: null,
    revision: null,
    version: null,
    problem: null,
    problemRevision: null,
    ...item,
  };
}
