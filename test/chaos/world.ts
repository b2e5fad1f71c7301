// Chaos harness. What the house stands on: a PostgreSQL of its own, a line for each instance, the ledger, the agent.
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import { EmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres';
import { ensureLoginRole } from '../../src/platform/persistence/prepare-database';
import { runMigrations } from '../../src/platform/persistence/run-migrations';
import { DatabaseProxy } from '../support/database-proxy';
import { withCredentials, withDatabase } from '../support/test-server-address';
import { InstanceProcess } from './instance-process';

const LOGIN = { user: 'horarium_chaos', password: 'chaos' };
const DATABASE = 'horarium_chaos';

export interface WorldOptions {
  readonly instances: number;
  readonly budget: number;
}

export class World {
  readonly ledgerFile: string;
  readonly agentFile: string;

  private constructor(
    readonly folder: string,
    readonly postgres: EmbeddedPostgres,
    readonly ownerUrl: string,
    readonly nodes: InstanceProcess[],
    private readonly proxies: DatabaseProxy[],
  ) {
    this.ledgerFile = join(folder, 'ledger');
    this.agentFile = join(folder, 'agent.sh');
  }

  static async make({ instances, budget }: WorldOptions): Promise<World> {
    const folder = mkdtempSync(join(tmpdir(), 'horarium-chaos-'));
    // Agents run as somebody else when the house runs as root.
    chmodSync(folder, 0o755);
    const postgres = await EmbeddedPostgres.start({ folder, password: 'chaos' });
    const server = new Client({ connectionString: postgres.url('postgres') });
    await server.connect();
    await ensureLoginRole(server, LOGIN);
    await server.query(`create database ${escapeIdentifier(DATABASE)} template template0 locale 'C' encoding 'UTF8'`);
    await server.end();
    const ownerUrl = postgres.url(DATABASE);
    await runMigrations(ownerUrl, LOGIN.user);
    const url = withCredentials(withDatabase(ownerUrl, DATABASE), LOGIN);
    const nodes: InstanceProcess[] = [];
    const proxies: DatabaseProxy[] = [];
    const world = new World(folder, postgres, ownerUrl, nodes, proxies);
    world.writeAgent();
    const env = {
      SCHEDULE_MAX_CONCURRENT_RUNS: String(budget),
      HORARIUM_ASSISTANTS_FILE: join(folder, 'assistants.yaml'),
      HORARIUM_LOG_LEVEL: 'warn',
    };
    for (let nr = 1; nr <= instances; nr++) {
      const proxy = await DatabaseProxy.before(ownerUrl);
      proxies.push(proxy);
      // The last one's wall clock is five minutes fast.
      const clockOffset = nr === instances;
      nodes.push(new InstanceProcess({ name: `node-${nr}`, folder, proxy, url, ownerUrl, env, clockOffset }));
    }
    return world;
  }

  /** One connection for one question, past the proxies; asked again while the database is away. */
  async ask<R extends object>(text: string, params: unknown[] = []): Promise<R[]> {
    for (let attempt = 0; ; attempt++) {
      const client = new Client({ connectionString: this.ownerUrl, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query("select set_config('app.is_super_admin', 't', false)");
        return (await client.query<R>(text, params)).rows;
      } catch (error) {
        if (attempt > 100) throw error;
        await pause(300);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  async close(keep: boolean): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const proxy of this.proxies) await proxy.close();
    await this.postgres.stop();
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }

  private writeAgent(): void {
    copyFileSync(join(__dirname, 'agent.sh'), this.agentFile);
    chmodSync(this.agentFile, 0o755);
    writeFileSync(this.ledgerFile, '');
    chmodSync(this.ledgerFile, 0o666);
    const command = [this.agentFile, this.ledgerFile];
    writeFileSync(join(this.folder, 'assistants.yaml'), `default: { command: ${JSON.stringify(command)} }\n`);
  }
}
