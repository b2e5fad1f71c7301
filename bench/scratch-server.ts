// Benchmarks. The database server of one benchmark: a cluster of its own, durable, with the settings of the embedded one;
// or that of BENCH_DATABASE_URL. Databases on it are migrated, and dropped at the end.
import { randomBytes } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import { EmbeddedPostgres } from '../src/platform/embedded/embedded-postgres';
import { ensureLoginRole } from '../src/platform/persistence/prepare-database';
import { runMigrations } from '../src/platform/persistence/run-migrations';
import { withCredentials, withDatabase } from '../test/support/test-server-address';
import type { Bench } from './bench';

export interface ScratchServer {
  /** Undefined for a server that is not ours: its processes cannot be measured. */
  readonly pid: number | undefined;
  /** A connection to its `postgres` database. */
  readonly admin: Client;
  database(): Promise<ScratchDatabase>;
}

export interface ScratchDatabase {
  readonly name: string;
  /** As the login role: what the house works with. */
  readonly url: string;
  readonly ownerUrl: string;
  /** As the owner, past the policies. */
  readonly admin: Client;
}

export async function scratchServer(bench: Bench): Promise<ScratchServer> {
  const given = process.env.BENCH_DATABASE_URL;
  const own = given === undefined ? await ownCluster(bench) : undefined;
  const ownerUrl = own?.url('postgres') ?? given!;
  const admin = await connected(bench, ownerUrl);
  const login = { user: `horarium_bench_${process.pid}`, password: randomBytes(9).toString('hex') };
  await ensureLoginRole(admin, login);
  if (own === undefined) bench.later(async () => void (await admin.query(`drop role ${escapeIdentifier(login.user)}`)));
  await admin.query('create extension if not exists pg_stat_statements').catch(() => undefined);
  return {
    pid: own?.pid,
    admin,
    database: async () => {
      const name = `horarium_bench_${process.pid}_${randomBytes(3).toString('hex')}`;
      await admin.query(`create database ${escapeIdentifier(name)} template template0 locale 'C' encoding 'UTF8'`);
      bench.later(async () => {
        await admin.query(`drop database ${escapeIdentifier(name)} with (force)`);
      });
      const url = withDatabase(ownerUrl, name);
      await runMigrations(url, login.user);
      return { name, url: withCredentials(url, login), ownerUrl: url, admin: await connected(bench, url) };
    },
  };
}

/** Started twice: counting statements wants a library that is loaded at the start. */
async function ownCluster(bench: Bench): Promise<EmbeddedPostgres> {
  const options = { folder: bench.folder(), password: 'bench', durable: true };
  const first = await EmbeddedPostgres.start(options);
  const client = new Client({ connectionString: first.url('postgres') });
  await client.connect();
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.end();
  await first.stop();
  const server = await EmbeddedPostgres.start(options);
  bench.later(() => server.stop());
  return server;
}

async function connected(bench: Bench, url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  bench.later(() => client.end());
  await client.query("select set_config('app.is_super_admin', 't', false)");
  return client;
}
