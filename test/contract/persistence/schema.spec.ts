// What the migrations add up to is what schema.sql says: the effect of a migration is read as a diff of that file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase, type TestDatabase } from '../../support/database';
import { schemaSnapshot } from '../../support/schema-snapshot';

const file = join(__dirname, '..', '..', '..', 'schema.sql');

describe('a database with every migration applied', () => {
  let db: TestDatabase;
  beforeAll(async () => (db = await testDatabase()));
  afterAll(() => db.close());

  it('has the schema of schema.sql', async () => {
    const found = await schemaSnapshot(db.admin);
    // `npm run schema:write`: the file follows the migrations, never the other way round.
    if (process.env.WRITE_SCHEMA === 'true') writeFileSync(file, found);
    expect(found).toBe(readFileSync(file, 'utf8'));
  });

  it('forces row-level security on every table with a tenant', async () => {
    const { rows } = await db.admin.query<{ name: string }>(
      `select c.oid::regclass::text as name
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
        where c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(rows).toEqual([]);
  });

  // Nothing is missing from the file: what it makes of an empty schema cannot be told from what the migrations made.
  it('can be made from schema.sql alone', async () => {
    const expected = readFileSync(file, 'utf8');
    await db.admin.query('drop schema public cascade; drop schema if exists compliance cascade; create schema public');
    await db.admin.query(expected);
    expect(await schemaSnapshot(db.admin)).toBe(expected);
  });
});
