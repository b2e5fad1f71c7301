import { randomUUID } from 'node:crypto';
import { SqlLastSeen } from '../../../src/remote-agent/outbound/sql-last-seen';
import { testDatabase, type TestDatabase } from '../../support/database';

const AGENTS = 1_500;
let database: TestDatabase;
let ids: string[];

beforeAll(async () => {
  database = await testDatabase({ poolSize: 8 });
  ids = Array.from({ length: AGENTS }, () => randomUUID());
  await database.admin.query(
    `insert into compliance.agents (id, tenant_id, name, version, labels, created_at)
     select id, 1, 'a', '', '{}', now() from unnest($1::uuid[]) as id`,
    [ids],
  );
  await database.admin.query(
    `insert into compliance.agent_last_seen (agent_id, tenant_id) select id, 1 from unnest($1::uuid[]) as id`,
    [ids],
  );
});
afterAll(() => database.close());

const shuffled = (): string[] =>
  ids
    .map((id) => ({ id, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ id }) => id);

async function deadlocks(): Promise<number> {
  await database.admin.query('select pg_stat_force_next_flush()');
  const { rows } = await database.admin.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
}

test('four that flush the same agents in any order never wait in a circle, and no time goes back', async () => {
  const writers = Array.from({ length: 4 }, () => new SqlLastSeen(database.sessions));
  const start = Date.parse('2026-11-30T12:00:00Z');
  await Promise.all(
    writers.map(async (writer, which) => {
      for (let round = 0; round < 10; round++) {
        const beats = shuffled()
          .slice(0, 800)
          .map((agentId) => ({ agentId, at: new Date(start + round * 1_000 + which), clockSkewMs: which }));
        await writer.write(beats);
      }
    }),
  );
  await writers[0]!.write(ids.map((agentId) => ({ agentId, at: new Date(start), clockSkewMs: null })));
  expect(await deadlocks()).toBe(0);
  const { rows } = await database.admin.query<{ least: Date; most: Date }>(
    'select min(last_seen_at) as least, max(last_seen_at) as most from compliance.agent_last_seen',
  );
  expect(rows[0]?.most).toEqual(new Date(start + 9_003));
  expect(rows[0]!.least.getTime()).toBeGreaterThan(start + 1_000);
});
