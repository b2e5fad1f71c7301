// Outbound adapter. Table runtime_facts of the platform.
import { systemActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { RuntimeFacts } from '../ports/runtime-facts';

const ACTOR = systemActor('noting what is running');

export class SqlRuntimeFacts implements RuntimeFacts {
  constructor(private readonly sessions: Sessions) {}

  async read(name: string): Promise<string | null> {
    const [row] = await this.sessions.run(ACTOR, (tx) =>
      tx.query<{ value: string }>('select value from runtime_facts where name = $1', [name]),
    );
    return row?.value ?? null;
  }

  async note(name: string, value: string, now: Date): Promise<void> {
    await this.sessions.run(ACTOR, (tx) =>
      tx.query(
        `insert into runtime_facts (name, value, updated_at) values ($1, $2, $3)
         on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
        [name, value, now],
      ),
    );
  }
}
