// The queries that docs/operations.md gives to operators, as the role that the house works with, under row-level security.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { processChanges } from '../../../src/drive-sync/domain/jobs';
import { testDatabase, type TestDatabase } from '../../support/database';
import { DriveTables } from '../../support/drive/drive-tables';

const PAGE = readFileSync(join(__dirname, '../../../docs/operations.md'), 'utf8');
const BLOCK = [...PAGE.matchAll(/```sql\n([\s\S]*?)```/g)]
  .map(([, sql = '']) => sql)
  .find((sql) => sql.includes('drive_sync_jobs'));

let database: TestDatabase;
let psql: Client;
beforeAll(async () => {
  database = await testDatabase();
  const is = new DriveTables(database);
  await is.connected(1, 2);
  await is.add(processChanges(1), processChanges(2));
  psql = new Client({ connectionString: database.url });
  await psql.connect();
});
afterAll(async () => {
  await psql.end();
  await database.close();
});

/** Of each statement that answers with rows. */
async function answers(sql: string): Promise<Record<string, unknown>[][]> {
  const results = (await psql.query(sql)) as unknown as { command: string; rows: Record<string, unknown>[] }[];
  return results.filter(({ command }) => command === 'SELECT').map(({ rows }) => rows);
}

it('counts jobs, and shows connections with their channel', async () => {
  const [counts, failed, connections] = await answers(`set role horarium_app; ${BLOCK}`);
  expect(counts).toEqual([
    { tenant_id: 1, status: 'PENDING', count: '1' },
    { tenant_id: 2, status: 'PENDING', count: '1' },
  ]);
  expect(failed).toEqual([]);
  expect(connections).toEqual([
    expect.objectContaining({ tenant_id: 1, status: 'CONNECTED', webhook_channel_id: null }),
    expect.objectContaining({ tenant_id: 2 }),
  ]);
});

it('shows one tenant what is its own', async () => {
  const own = String(BLOCK).replace("app.is_super_admin = 't'", "app.tenant_id = '2'");
  const [counts, , connections] = await answers(`set role horarium_app; ${own}`);
  expect(counts).toEqual([{ tenant_id: 2, status: 'PENDING', count: '1' }]);
  expect(connections).toEqual([expect.objectContaining({ tenant_id: 2 })]);
});
