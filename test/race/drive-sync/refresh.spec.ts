// Two processes, each with its own connections, whose jobs want an access token of the same grant: Google is asked once.
// Seen red: without the advisory lock both ask, and the later one's token is the only one that is kept.
import { DataSource } from 'typeorm';
import { GoogleClient } from '../../../src/drive-sync/outbound/google-client';
import { GoogleDrives } from '../../../src/drive-sync/outbound/google-drives';
import { REFRESH_TOKEN } from '../../../src/drive-sync/outbound/integration.row';
import { Sealing } from '../../../src/platform/crypto';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source-options';
import { Sessions } from '../../../src/platform/persistence/sessions';
import { blockedBackends } from '../../support/blocked-backends';
import { testDatabase, type TestDatabase } from '../../support/database';
import { DriveEmulator, OWNER_ACCOUNT } from '../../support/drive/drive-emulator';
import { DriveTables } from '../../support/drive/drive-tables';

const TOKEN = /^POST \/token/;
const ABOUT_FILES = /startPageToken$/;

let database: TestDatabase;
let otherPool: DataSource;
let emulator: DriveEmulator;
const sealing = new Sealing(['a key of tests, longer than thirty-two characters']);
beforeAll(async () => {
  database = await testDatabase();
  otherPool = await new DataSource(dataSourceOptions({ url: database.url, poolSize: 5 })).initialize();
  emulator = await DriveEmulator.start();
});
afterAll(async () => {
  await otherPool.destroy();
  await emulator.close();
  await database.close();
});

let one: GoogleDrives;
let other: GoogleDrives;
beforeEach(async () => {
  const tables = new DriveTables(database);
  await tables.clear();
  await tables.connected(1);
  emulator.oauth.grants.splice(0);
  emulator.requests.splice(0);
  await grant('1//first');
  [one, other] = [process(database.sessions), process(new Sessions(otherPool))];
});

/** As after a consent. */
async function grant(refreshToken: string): Promise<void> {
  emulator.oauth.grants.push({ account: OWNER_ACCOUNT, refreshToken, scope: 'drive', revoked: false });
  await database.admin.query('update tenant_drive_integrations set refresh_token = $1, generation = generation + 1', [
    sealing.seal(REFRESH_TOKEN, 1, refreshToken),
  ]);
}

function process(sessions: Sessions): GoogleDrives {
  const settings = emulator.settings();
  const google = new GoogleClient({
    clientId: settings.DRIVE_OAUTH_CLIENT_ID!,
    clientSecret: settings.DRIVE_OAUTH_CLIENT_SECRET!,
    redirectUri: 'http://localhost/callback',
    scope: 'drive',
    apiRootUrl: settings.DRIVE_API_ROOT_URL!,
    authUrl: settings.DRIVE_OAUTH_AUTH_URL!,
    tokenUrl: settings.DRIVE_OAUTH_TOKEN_URL!,
    revokeUrl: settings.DRIVE_OAUTH_REVOKE_URL!,
  });
  return new GoogleDrives(sessions, sealing, google);
}

const calls = async (drives: GoogleDrives, count = 1): Promise<string[]> => {
  const drive = await drives.of(1);
  return Promise.all(Array.from({ length: count }, () => drive.startPageToken()));
};

/** The next answer of the token endpoint waits. */
function heldRefresh(): { reached: Promise<void>; release: () => void } {
  let [reach, release] = [(): void => undefined, (): void => undefined];
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const until = new Promise<void>((resolve) => (release = resolve));
  emulator.faults.plan(TOKEN, { kind: 'held', reached: reach, until });
  return { reached, release };
}

test('calls of one process at once share one refresh', async () => {
  await calls(one, 8);
  expect([emulator.count(TOKEN), emulator.count(ABOUT_FILES)]).toEqual([1, 8]);
});

test('who comes while another process refreshes waits for it, and uses what it got', async () => {
  const held = heldRefresh();
  const first = calls(one);
  await held.reached;
  const second = calls(other);
  await blockedBackends(database, 1);
  expect(emulator.count(TOKEN)).toBe(1);
  held.release();
  await Promise.all([first, second]);
  expect([emulator.count(TOKEN), emulator.count(ABOUT_FILES)]).toEqual([1, 2]);
});

test('a token that Drive does not take any more is got anew by one of those that were refused', async () => {
  await Promise.all([calls(one), calls(other)]);
  emulator.oauth.dropAccess();
  emulator.requests.splice(0);
  await Promise.all([calls(one, 4), calls(other, 4)]);
  expect(emulator.count(TOKEN)).toBe(1);
});

test('a stored token that was refused is not taken for good again after a restart', async () => {
  await calls(one);
  emulator.oauth.dropAccess();
  await calls(process(database.sessions));
  expect(emulator.count(TOKEN)).toBe(2);
});

test('a grant that ended while one process refreshed is not taken for the new one’s', async () => {
  const held = heldRefresh();
  const first = calls(one);
  await held.reached;
  emulator.oauth.revokeAccount(OWNER_ACCOUNT);
  await grant('1//second');
  held.release();
  await expect(first).rejects.toThrow('invalid_grant');
  await calls(one);
  await calls(other);
  const { rows } = await database.admin.query('select access_token, refresh_token from tenant_drive_integrations');
  const { access_token: stored, refresh_token: kept } = rows[0] as Record<string, Buffer>;
  expect(sealing.openText(REFRESH_TOKEN, 1, kept!)).toBe('1//second');
  expect(stored!.toString('latin1')).not.toContain('ya29');
});

test('a refresh that fails says why, with no secret in it, and the next one is tried', async () => {
  emulator.faults.plan(TOKEN, { kind: 'answer', status: 503 });
  const failure = await calls(one).catch((error: unknown) => error);
  expect(JSON.stringify(failure) + String(failure)).not.toContain('1//first');
  expect(failure).toMatchObject({ problem: 'retry' });
  expect(emulator.count(TOKEN)).toBe(1);
  await calls(one);
});
