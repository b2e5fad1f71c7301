// The short version of the chaos harness: real processes, a real PostgreSQL, faults for the better part of a minute.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');

it('never twice, never lost: three processes, killed, stopped, cut off, and a database that restarts', async () => {
  await run(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), '--if-stale'], { cwd: ROOT });
  const chaos = [join(__dirname, 'run.mjs'), '--seed', '7', '--seconds', '45', '--per-second', '3', '--minutely', '10'];
  const { stdout } = await run(process.execPath, chaos, { cwd: ROOT, maxBuffer: 1 << 24 }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    },
  );
  const verdict = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>;
  expect(verdict).toMatchObject({ double: 0, lost: 0, leaked: 0, stuck: 0 });
  expect(verdict['occurrences']).toBeGreaterThan(100);
}, 400_000);
