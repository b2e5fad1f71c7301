// Platform, persistence. Which migrations the database has, compared with those this program brings.
import { systemActor } from '../../kernel/actor';
import { migrations } from './migrations';
import type { Sessions } from './sessions';

export interface MigrationReading {
  readonly applied: readonly string[];
  /** Brought by this program, not yet in the database. */
  readonly missing: readonly string[];
  /** In the database, not known to this program: it is the older one. */
  readonly unknown: readonly string[];
}

export class MigrationState {
  constructor(
    private readonly sessions: Sessions,
    private readonly known: readonly string[] = migrations.map((Migration) => new Migration().name),
  ) {}

  async read(): Promise<MigrationReading> {
    const rows = await this.sessions.run(systemActor('health probe'), (tx) =>
      tx.query<{ name: string }>('select name from migrations order by id'),
    );
    const applied = rows.map(({ name }) => name);
    return {
      applied,
      missing: this.known.filter((name) => !applied.includes(name)),
      unknown: applied.filter((name) => !this.known.includes(name)),
    };
  }
}
