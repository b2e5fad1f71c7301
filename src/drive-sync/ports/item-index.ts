// Port: what we know of Drive's side, by Drive's ids and by ours.
import { token } from '../../kernel/token';
import type { Item, ItemKind } from '../domain/item';

export interface ItemIndex {
  find(tenantId: number, driveFileId: string): Promise<Item | null>;
  findMany(tenantId: number, driveFileIds: readonly string[]): Promise<Item[]>;
  bySubject(tenantId: number, kind: ItemKind, subjectId: string): Promise<Item | null>;
  /** Shortcuts that show the content of these files. */
  showing(tenantId: number, targetIds: readonly string[]): Promise<Item[]>;
  /** Those that are not gone, in the order of their ids, after one. */
  inFolder(tenantId: number, folderId: string, after: string, limit: number): Promise<Item[]>;
  /** Reserves an id for a subject. Whoever was first wins: the answer is theirs. */
  reserve(item: Item, now: Date): Promise<Item>;
  save(item: Item, now: Date): Promise<void>;
  /** For an item that has to be made anew. */
  remove(tenantId: number, driveFileId: string): Promise<void>;
}

export const ItemIndex = token<ItemIndex>('ItemIndex');
