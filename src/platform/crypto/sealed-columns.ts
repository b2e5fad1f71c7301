// Platform, crypto. Every column of the house that holds sealed values, and the way from an old key to the new one. A
// feature names its columns in its module file; nothing else of it is needed, since all are sealed alike.
import { systemActor } from '../../kernel/actor';
import type { Sessions } from '../persistence/sessions';
import type { SealedColumn, Sealing } from './sealing';
import { KEY_ID_BYTES } from './sealing-key';

/** What a column holds, counted by the key that sealed it. */
export interface SealedCount {
  readonly table: string;
  readonly column: string;
  readonly keyId: string;
  readonly values: number;
}

export interface Resealed {
  readonly table: string;
  readonly column: string;
  readonly values: number;
}

const BATCH = 200;
const KEEPER = systemActor('sealed values and their keys');

export class SealedColumns {
  private readonly columns: SealedColumn[] = [];

  constructor(
    private readonly sealing: Sealing,
    private readonly sessions: Sessions,
  ) {}

  /** The names stand in the source, never in a request; they are checked all the same, since they become SQL. */
  add(column: SealedColumn): void {
    for (const name of [column.table, column.column, column.key]) {
      if (!/^[a-z_]+(\.[a-z_]+)?$/.test(name)) throw new Error(`no name of a table or column: ${name}`);
    }
    this.columns.push(column);
  }

  async count(): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const { table, column } of this.columns) {
      const rows = await this.sessions.run(KEEPER, (tx) =>
        tx.query<{ key_id: string; values: string }>(countSql(table, column)),
      );
      counts.push(...rows.map((row) => ({ table, column, keyId: row.key_id, values: Number(row.values) })));
    }
    return counts;
  }

  /**
   * Seals under the current key whatever is sealed under an older one. Stops at a value that cannot be opened; what was
   * done until then is kept, and asking again goes on from there.
   */
  async reseal(): Promise<Resealed[]> {
    const done: Resealed[] = [];
    for (const column of this.columns) {
      let values = 0;
      for (let batch = BATCH; batch === BATCH; values += batch) batch = await this.resealSome(column);
      done.push({ table: column.table, column: column.column, values });
    }
    return done;
  }

  /** The rows are locked meanwhile: a feature that stores a newer secret waits, and its value stays. */
  private async resealSome(column: SealedColumn): Promise<number> {
    const current = this.sealing.currentKeyId;
    if (current === undefined) return 0;
    return this.sessions.run(KEEPER, async (tx) => {
      const rows = await tx.query<{ key: string; sealed: Buffer }>(olderSql(column), [
        Buffer.from(current, 'hex'),
        BATCH,
      ]);
      const fresh = rows.map(({ key, sealed }) =>
        this.sealing.seal(column, key, this.sealing.open(column, key, sealed)),
      );
      if (rows.length > 0) await tx.query(storeSql(column), [rows.map(({ key }) => key), fresh]);
      return rows.length;
    });
  }
}

const KEY_ID = (column: string): string => `substring(${column} from 2 for ${KEY_ID_BYTES})`;

const countSql = (table: string, column: string): string => `
  select encode(${KEY_ID(column)}, 'hex') as key_id, count(*) as values
  from ${table} where ${column} is not null group by 1 order by 1`;

const olderSql = ({ table, column, key }: SealedColumn): string => `
  select ${key}::text as key, ${column} as sealed from ${table}
  where ${column} is not null and ${KEY_ID(column)} <> $1
  order by ${key} limit $2 for update`;

const storeSql = ({ table, column, key }: SealedColumn): string => `
  update ${table} set ${column} = s.sealed
  from unnest($1::text[], $2::bytea[]) as s (key, sealed) where ${key}::text = s.key`;
