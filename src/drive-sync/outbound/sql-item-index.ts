// Outbound adapter, owns the table drive_items.
import { systemActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { Item, ItemKind } from '../domain/item';
import type { ItemIndex } from '../ports/item-index';
import { ITEM_COLUMNS, itemValues, toItem, type ItemRow } from './item.row';

const SYSTEM = systemActor('drive: index');

const FIND_MANY = `select * from drive_items where tenant_id = $1 and drive_file_id = any ($2::text[])`;
const BY_SUBJECT = `select * from drive_items where tenant_id = $1 and kind = $2 and subject_id = $3`;
const SHOWING = `select * from drive_items where tenant_id = $1 and target_id = any ($2::text[])`;
const IN_FOLDER = `
  select * from drive_items
   where tenant_id = $1 and parent_id = $2 and drive_file_id > $3 and state <> 'gone'
   order by drive_file_id limit $4`;
/** The first to reserve has made the decision: everybody else creates with the same id. */
const RESERVE = `
  insert into drive_items (${ITEM_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict (tenant_id, kind, subject_id) where subject_id is not null do nothing`;
/** A subject has one item: when it was made anew, the old one lets go of it. */
const RELEASE = `
  update drive_items set subject_id = null
   where tenant_id = $1 and kind = $2 and subject_id = $3 and drive_file_id <> $4`;
const SAVE = `
  insert into drive_items (${ITEM_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  on conflict (tenant_id, drive_file_id) do update
     set kind = excluded.kind, subject_id = excluded.subject_id, parent_id = excluded.parent_id,
         target_id = excluded.target_id, state = excluded.state, name = excluded.name, our_name = excluded.our_name,
         our_sha256 = excluded.our_sha256, revision = excluded.revision, version = excluded.version,
         problem = excluded.problem, problem_revision = excluded.problem_revision, updated_at = excluded.updated_at`;
const REMOVE = `delete from drive_items where tenant_id = $1 and drive_file_id = $2`;

export class SqlItemIndex implements ItemIndex {
  constructor(private readonly sessions: Sessions) {}

  async find(tenantId: number, driveFileId: string): Promise<Item | null> {
    return (await this.findMany(tenantId, [driveFileId]))[0] ?? null;
  }

  findMany(tenantId: number, driveFileIds: readonly string[]): Promise<Item[]> {
    return this.read(FIND_MANY, [tenantId, driveFileIds]);
  }

  async bySubject(tenantId: number, kind: ItemKind, subjectId: string): Promise<Item | null> {
    return (await this.read(BY_SUBJECT, [tenantId, kind, subjectId]))[0] ?? null;
  }

  showing(tenantId: number, targetIds: readonly string[]): Promise<Item[]> {
    return this.read(SHOWING, [tenantId, targetIds]);
  }

  inFolder(tenantId: number, folderId: string, after: string, limit: number): Promise<Item[]> {
    return this.read(IN_FOLDER, [tenantId, folderId, after, limit]);
  }

  async reserve(item: Item, now: Date): Promise<Item> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(RESERVE, itemValues(item, now)));
    const winner = item.subjectId === null ? item : await this.bySubject(item.tenantId, item.kind, item.subjectId);
    return winner ?? item;
  }

  async save(item: Item, now: Date): Promise<void> {
    await this.sessions.run(SYSTEM, async (tx) => {
      if (item.subjectId !== null) {
        await tx.query(RELEASE, [item.tenantId, item.kind, item.subjectId, item.driveFileId]);
      }
      await tx.query(SAVE, itemValues(item, now));
    });
  }

  async remove(tenantId: number, driveFileId: string): Promise<void> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(REMOVE, [tenantId, driveFileId]));
  }

  private async read(statement: string, values: readonly unknown[]): Promise<Item[]> {
    return (await this.sessions.run(SYSTEM, (tx) => tx.query<ItemRow>(statement, values))).map(toItem);
  }
}
