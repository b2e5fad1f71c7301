// Commands that work on the database itself: no server is needed beside it.
import { type Horarium, horarium } from '../../support/cli';
import { testDatabase, type TestDatabase } from '../../support/database';

let database: TestDatabase;
let cli: Horarium;

beforeAll(async () => {
  database = await testDatabase();
  cli = horarium({
    DATABASE_URL: database.url,
    HORARIUM_JWT_SECRET: 'a secret of tests, longer than thirty-two characters',
    HORARIUM_ENCRYPTION_KEY: 'a key of tests, longer than thirty-two characters',
  });
});
afterAll(() => database.close());

it('makes tenants, tokens and API keys', async () => {
  expect(await cli('tenant', 'create', 'acme')).toEqual({ stdout: '2\n', stderr: '', code: 0 });
  expect((await cli('tenant', 'list')).stdout).toMatch(/^2 +acme /m);
  const token = await cli('token', 'create', '--tenant', '1', '--user', 'alice', '--role', 'user');
  expect(token).toEqual({ stdout: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+\n$/), stderr: '', code: 0 });
  const key = await cli('api-key', 'create', '--tenant', '2', '--user', 'ci', '--json');
  const { id } = JSON.parse(key.stdout) as { id: string };
  expect((await cli('api-key', 'revoke', id)).code).toBe(0);
  expect(await cli('api-key', 'revoke', 'none')).toMatchObject({ stdout: '', code: 4 });
});

it('asks nobody for help', async () => {
  const nowhere = horarium({ HORARIUM_DATA_DIR: '/nowhere/at/all' });
  expect(await nowhere('tenant', 'create', '--help')).toMatchObject({ stderr: '', code: 0 });
  expect(await nowhere('tenant', 'list')).toEqual({
    stdout: '',
    stderr: expect.stringMatching(/^error: No Horarium server is running on the data folder/),
    code: 9,
  });
});

it('says that the database is away', async () => {
  const away = horarium({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    HORARIUM_JWT_SECRET: 'a secret of tests, longer than thirty-two characters',
    HORARIUM_ENCRYPTION_KEY: 'a key of tests, longer than thirty-two characters',
  });
  expect(await away('tenant', 'list')).toMatchObject({ stdout: '', code: 9 });
});
