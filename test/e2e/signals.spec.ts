import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { removeScratch, scratchFolder } from '../support/scratch';

const ROOT = join(__dirname, '..', '..');

let folder: string;
beforeEach(() => {
  folder = scratchFolder();
});
afterAll(removeScratch);

/** A server of its own, as soon as its database has begun to start. */
async function starting() {
  const server = spawn(process.execPath, ['-r', './scripts/swc-register.cjs', 'src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HORARIUM_DATA_DIR: folder,
      PORT: '0',
      HORARIUM_LOG_LEVEL: 'debug',
      HORARIUM_LOG_FORMAT: 'json',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(server, 'exit');
  await new Promise<void>((resolve) =>
    createInterface({ input: server.stdout }).on('line', (line) => line.includes('starting PostgreSQL') && resolve()),
  );
  return { server, exited };
}

function expectNothingLeft(): void {
  const cluster = readdirSync(folder).find((name) => name.startsWith('postgres-')) ?? '';
  expect(existsSync(join(folder, cluster, 'postmaster.pid'))).toBe(false);
  expect(existsSync(join(folder, 'lock'))).toBe(false);
}

test('a signal during the start closes what has been opened, the database first of all', async () => {
  const { server, exited } = await starting();
  // A terminal that is closed sends the first one, an impatient person the second.
  server.kill('SIGHUP');
  server.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expectNothingLeft();
}, 120_000);

test('a stop is orderly though nobody reads the log any more, as with `npm start | tee log` and Ctrl-C', async () => {
  const { server, exited } = await starting();
  server.stdout.destroy();
  server.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  expectNothingLeft();
}, 120_000);
