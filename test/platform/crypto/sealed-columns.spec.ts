import { SealedColumns, Sealing } from '../../../src/platform/crypto';
import { testDatabase, type TestDatabase } from '../../support/database';

const OLD = 'an old key of tests, longer than thirty-two characters';
const NEW = 'a new key of tests, longer than thirty-two characters';
const SECRET = { table: 'safes', column: 'secret', key: 'id' };
const [before, during, after] = [new Sealing([OLD]), new Sealing([NEW, OLD]), new Sealing([NEW])];

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.admin.query('create table safes (id bigint primary key, secret bytea)');
  await database.admin.query('grant select, update on safes to horarium_app');
});
afterAll(() => database.close());
beforeEach(() => database.admin.query('truncate safes'));

function columnsWith(sealing: Sealing): SealedColumns {
  const columns = new SealedColumns(sealing, database.sessions);
  columns.add(SECRET);
  return columns;
}

async function store(ids: readonly number[], sealing: Sealing): Promise<void> {
  const sealed = ids.map((id) => sealing.seal(SECRET, id, `secret ${id}`));
  await database.admin.query('insert into safes select * from unnest($1::bigint[], $2::bytea[])', [ids, sealed]);
}

it('seals everything anew under the current key, over several batches, and leaves what is there alone', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => index + 1);
  await store(ids, before);
  await store([1_000], during);
  await database.admin.query('insert into safes values (2000, null)');
  const columns = columnsWith(during);
  expect(await columns.count()).toEqual(
    expect.arrayContaining([
      { table: 'safes', column: 'secret', keyId: before.currentKeyId, values: 450 },
      { table: 'safes', column: 'secret', keyId: during.currentKeyId, values: 1 },
    ]),
  );
  expect(await columns.reseal()).toEqual([{ table: 'safes', column: 'secret', values: 450 }]);
  expect(await columns.reseal()).toEqual([{ table: 'safes', column: 'secret', values: 0 }]);
  const { rows } = await database.admin.query<{ id: string; secret: Buffer }>(
    'select id, secret from safes where secret is not null',
  );
  expect(rows).toHaveLength(451);
  for (const { id, secret } of rows) expect(after.openText(SECRET, id, secret)).toBe(`secret ${id}`);
});

it('refuses when the old key is gone, and changes nothing', async () => {
  await store([1, 2], before);
  await expect(columnsWith(after).reseal()).rejects.toMatchObject({ code: 'platform.sealing-key-missing' });
  const { rows } = await database.admin.query<{ secret: Buffer }>('select secret from safes where id = 1');
  expect(before.openText(SECRET, 1, rows[0]!.secret)).toBe('secret 1');
});

it('takes no name that is more than a name', () => {
  const columns = new SealedColumns(before, database.sessions);
  expect(() => columns.add({ ...SECRET, table: 'safes; drop table tenants' })).toThrow('no name');
});
