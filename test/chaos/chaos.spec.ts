// The short version of the chaos harness: real processes, a real PostgreSQL, faults for the better part of a minute.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');

async function chaos(...words: string[]): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, [join(__dirname, 'run.mjs'), ...words], {
    cwd: ROOT,
    maxBuffer: 1 << 24,
  }).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>;
}

beforeAll(() => run(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), '--if-stale'], { cwd: ROOT }), 400_000);

it('never twice, never lost: three processes, killed, stopped, cut off, and a database that restarts', async () => {
  const verdict = await chaos(...['--seed', '7', '--seconds', '45', '--per-second', '3', '--minutely', '10']);
  expect(verdict).toMatchObject({ double: 0, lost: 0, leaked: 0, stuck: 0 });
  expect(verdict['occurrences']).toBeGreaterThan(100);
}, 400_000);

it('a rolling restart under load, on lines that may be mute: every stop is orderly, and not a single run is interrupted', async () => {
  const verdict = await chaos(
    ...['--seed', '4', '--seconds', '10', '--per-second', '10', '--minutely', '5'],
    ...['--only', 'rolling restart,mute the lines'],
  );
  expect(verdict).toMatchObject({ double: 0, lost: 0, leaked: 0, stuck: 0 });
  expect(verdict['occurrences']).toBeGreaterThanOrEqual(100);
}, 400_000);
