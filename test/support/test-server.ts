// Test support. The two kinds of server that a run can have, and how each is left as if nothing had been.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, escapeIdentifier } from 'pg';
import { bundledMajor, findBinaries } from '../../src/platform/embedded/binaries';
import { clusterName } from '../../src/platform/embedded/cluster';
import { EmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres';
import { clearLeftovers } from '../../src/platform/embedded/leftovers';
import { databaseUser } from '../../src/platform/embedded/run-as';
import { isAlive } from '../../src/platform/host/processes';
import { ensureLoginRole } from '../../src/platform/persistence/prepare-database';
import { runMigrations } from '../../src/platform/persistence/run-migrations';
import { dropDatabase } from './drop-database';
import { type TestServerAddress, withDatabase } from './test-server-address';

export interface TestServer {
  readonly address: TestServerAddress;
  close(): Promise<void>;
}

// Setup and teardown are loaded apart from one another: what they share hangs on the process.
const kept = globalThis as { horariumTestServer?: TestServer };

export function keepTestServer(server: TestServer): void {
  kept.horariumTestServer = server;
}

export async function closeTestServer(): Promise<void> {
  await kept.horariumTestServer?.close();
}

const PREFIX = 'horarium-test-';

/** A cluster of its own, gone with the run. Its folder names the run's process, so that a killed run is tidied up. */
export async function throwAwayServer(): Promise<TestServer> {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  await removeLeftovers(base);
  const folder = mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o755);
  let pg: EmbeddedPostgres | undefined;
  const vanish = (): void => {
    if (pg?.pid !== undefined) process.kill(pg.pid, 'SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const forget = onAbruptEnd(vanish);
  const close = async (): Promise<void> => {
    forget();
    await pg?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    pg = await EmbeddedPostgres.start({ folder, password: 'test', durable: false, maxConnections: 200 });
    const address = await makeTemplate(pg.url('postgres'));
    return { address, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A server that was there before and stays. Version 15 or newer; the role must be allowed to make databases and roles. */
export async function ordinaryServer(url: string): Promise<TestServer> {
  const made: TestServerAddress[] = [];
  const close = async (): Promise<void> => {
    for (const { template, login } of made.splice(0)) {
      await asOwner(url, async (owner) => {
        const { rows } = await owner.query<{ name: string }>(
          "select datname as name from pg_database where datname = $1 or datname like $1 || '\\_%'",
          [template],
        );
        for (const { name } of rows) await dropDatabase(owner, name);
        await owner.query(`drop role if exists ${escapeIdentifier(login.user)}`);
      });
    }
  };
  try {
    const address = await makeTemplate(url, (begun) => made.push(begun));
    return { address, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeTemplate(url: string, begin: (address: TestServerAddress) => void = () => undefined) {
  // Unique, since two runs may share an ordinary server.
  const run = `horarium_${process.pid}_${randomBytes(3).toString('hex')}`;
  const login = { user: `${run}_login`, password: randomBytes(9).toString('hex') };
  const address: TestServerAddress = { ownerUrl: url, template: `${run}`, login };
  begin(address);
  await asOwner(url, async (owner) => {
    // From template0, with the sort order and the case rules of the embedded server: what the tests see does not depend
    // on the machine.
    const { rows } = await owner.query<{ builtin: boolean }>(
      `select current_setting('server_version_num')::integer >= 170000 as builtin`,
    );
    const locale = rows[0]?.builtin
      ? `locale 'C' locale_provider builtin builtin_locale 'C.UTF-8'`
      : `locale 'C.UTF-8'`;
    await owner.query(
      `create database ${escapeIdentifier(address.template)} template template0 encoding 'UTF8' ${locale}`,
    );
    await ensureLoginRole(owner, login);
    // So that an ordinary owner may end the connections of this role: a test cuts them, and a spec file may leave some.
    await owner.query(`grant ${escapeIdentifier(login.user)} to current_user`);
  });
  await runMigrations(withDatabase(url, address.template), login.user);
  return address;
}

async function asOwner(url: string, work: (owner: Client) => Promise<void>): Promise<void> {
  const owner = new Client({ connectionString: url });
  await owner.connect();
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
}

// Jest calls no teardown when it is interrupted, or when a worker takes it down.
function onAbruptEnd(vanish: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const bySignal = (signal: NodeJS.Signals): void => {
    forget();
    vanish();
    process.kill(process.pid, signal);
  };
  const forget = (): void => {
    process.off('exit', vanish);
    for (const signal of signals) process.off(signal, bySignal);
  };
  process.once('exit', vanish);
  for (const signal of signals) process.once(signal, bySignal);
  return forget;
}

/** Folders of runs that were killed with -9, each with a server that outlived them. */
async function removeLeftovers(base: string): Promise<void> {
  for (const name of readdirSync(base)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(base, name);
    const cluster = join(folder, clusterName(bundledMajor()));
    try {
      const user = databaseUser(cluster, ['nobody']);
      if (existsSync(cluster)) await clearLeftovers(cluster, findBinaries(user, folder).path, user);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Of another user: theirs to tidy up.
    }
  }
}
