import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { removeScratch, scratchFolder } from '../support/scratch';

const ROOT = join(__dirname, '..', '..');

afterAll(removeScratch);

test('a signal during the start closes what has been opened, the database first of all', async () => {
  const folder = scratchFolder();
  const server = spawn(process.execPath, ['-r', './scripts/swc-register.cjs', 'src/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HORARIUM_DATA_DIR: folder, PORT: '0', HORARIUM_LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  for await (const line of createInterface({ input: server.stdout })) {
    if (!line.includes('starting PostgreSQL')) continue;
    // A terminal that is closed sends the first one, an impatient person the second.
    server.kill('SIGHUP');
    server.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
  const cluster = readdirSync(folder).find((name) => name.startsWith('postgres-')) ?? '';
  expect(existsSync(join(folder, cluster, 'postmaster.pid'))).toBe(false);
  expect(existsSync(join(folder, 'lock'))).toBe(false);
}, 120_000);
