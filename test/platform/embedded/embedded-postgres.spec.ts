import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../../src/platform/embedded/embedded-postgres';
import type { PostmasterExit } from '../../../src/platform/embedded/postmaster';
import { isAlive, processesIn } from '../../../src/platform/host/processes';
import { hostUsers, isRoot } from '../../../src/platform/host/users';
import { removeScratch, scratchFolder } from '../../support/scratch';

jest.setTimeout(60_000);

async function query<R>(url: string, text: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as R[];
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  let folder: string;
  let pg: EmbeddedPostgres | undefined;
  let exits: PostmasterExit[];
  let restarted: () => void;

  const start = async (): Promise<EmbeddedPostgres> => {
    pg = await EmbeddedPostgres.start({
      folder,
      password: 'test',
      durable: false,
      onUnexpectedExit: (exit) => exits.push(exit),
      onRestarted: () => restarted(),
    });
    return pg;
  };
  const nextRestart = (): Promise<void> => new Promise((resolve) => (restarted = resolve));

  beforeAll(() => {
    folder = scratchFolder();
  });
  beforeEach(() => {
    exits = [];
    restarted = () => undefined;
  });
  afterEach(() => pg?.stop());
  afterAll(removeScratch);

  it('makes its cluster once and finds it again', async () => {
    const first = await start();
    await query(first.url('postgres'), 'create table kept as select 42 as answer');
    const identity = await query(first.url('postgres'), 'select system_identifier from pg_control_system()');
    await first.stop();
    expect(isAlive(first.pid!)).toBe(false);
    expect(existsSync(join(first.cluster, 'postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await query(second.url('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await query(second.url('postgres'), 'select system_identifier from pg_control_system()')).toEqual(identity);
    expect(readdirSync(folder)).toEqual(['postgres-18']);
  });

  it('keeps its files to itself, as a user that agents are not', async () => {
    const { cluster } = await start();
    const { uid, mode } = statSync(cluster);
    expect(mode & 0o777).toBe(0o700);
    const owner = hostUsers().find((user) => user.uid === uid)?.name;
    if (isRoot()) expect(['root', 'nobody', undefined]).not.toContain(owner);
    else expect(uid).toBe(process.getuid?.());
  });

  it('listens on the loopback address only, and only to those who know the password', async () => {
    const server = await start();
    expect(await query(server.url('postgres'), 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await expect(query(server.url('postgres', 'horarium_owner', 'guess'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
    await expect(query(server.url('postgres', 'postgres', ''), 'select 1')).rejects.toThrow();
  });

  it('sorts and folds alike on every machine', async () => {
    const server = await start();
    const rows = await query(
      server.url('postgres'),
      "select upper('ä') as a, 'Z' < 'a' as b, to_char(now(), 'TZ') as c",
    );
    expect(rows).toEqual([{ a: 'Ä', b: true, c: 'UTC' }]);
  });

  it('comes back on the same port when its server is killed, also under a busy backend', async () => {
    const server = await start();
    const { pid, port } = server;
    const busy = new Client({ connectionString: server.url('postgres') });
    const lost = new Promise((resolve) => busy.on('error', resolve));
    await busy.connect();
    // A loop that never waits: such a backend does not notice that its server is gone.
    const running = busy.query('do $$ begin loop end loop; end $$').catch(() => undefined);
    const back = nextRestart();
    process.kill(pid!, 'SIGKILL');
    await back;
    await Promise.all([running, lost]);
    expect(exits).toEqual([expect.objectContaining({ code: null, signal: 'SIGKILL' })]);
    expect(server.port).toBe(port);
    expect(server.pid).not.toBe(pid);
    expect(await query(server.url('postgres'), 'select answer from kept')).toEqual([{ answer: 42 }]);

    const again = nextRestart();
    process.kill(server.pid!, 'SIGQUIT');
    await again;
    expect(await query(server.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('stops while clients are connected, leaves no process, and does not call that an unexpected exit', async () => {
    const server = await start();
    const client = new Client({ connectionString: server.url('postgres') });
    // Twice: the server's farewell, and the closed connection.
    const lost = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await server.stop();
    await lost;
    expect(exits).toEqual([]);
    expect(processesIn(server.cluster) ?? []).toEqual([]);
    await server.stop();
  });

  it('stops while it is being started again', async () => {
    const server = await start();
    const down = new Promise<void>((resolve) => (exits.push = () => (resolve(), 0)));
    process.kill(server.pid!, 'SIGKILL');
    await down;
    await server.stop();
    expect(processesIn(server.cluster) ?? []).toEqual([]);
  });
});
