// A demonstration: a Horarium of its own, an emulated Google Drive beside it, and people who work on both sides. What each
// does is printed, and the folder tree as soon as both sides are the same. It goes on until Ctrl-C; with --once it ends.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/platform/embedded/free-port';
import { Bench } from '../../bench/bench';
import { startServer } from '../../bench/server-process';
import { theirsOf, theirsRootOf } from '../support/drive/both-sides';
import { DriveEmulator } from '../support/drive/drive-emulator';
import type { EmulatedFile } from '../support/drive/emulated-files';
import { DemoApi } from './demo-api';

const PATIENCE_MS = 30_000;
const BETWEEN_MS = 1_500;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(house: Bench, ended: AbortSignal): Promise<void> {
  const drive = await DriveEmulator.start();
  house.later(() => drive.close());
  say(`An emulated Google Drive listens on ${drive.url}. Horarium starts, with a database of its own …`);
  const port = await freePort();
  const dataDir = house.folder();
  const env = { ...drive.settings(), PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
  const server = await startServer(house, { dataDir, env });
  const api = new DemoApi(server.url, readFileSync(join(dataDir, 'operator-token'), 'utf8').trim());
  say(`Horarium is ready at ${server.url}. A manager connects the drive of owner@example.com.`);
  await api.connect();

  const files = drive.files;
  const root = (): string | undefined => theirsRootOf(drive, drive.space());
  const tree = (): string[] => {
    const id = root();
    return id === undefined ? [] : theirsOf(drive, id);
  };
  const at = (path: string): EmulatedFile => {
    let found = files.files.get(root() ?? '');
    for (const name of path.split('/')) {
      found = files.childrenOf(found?.id ?? '').find((one) => one.name === name && !one.explicitlyTrashed);
    }
    if (found === undefined) throw new Error(`there is no ${path} in Drive`);
    return found;
  };
  const put = (name: string, folder: string, text: string): unknown =>
    files.create(drive.space(), { name, mimeType: 'text/plain', parents: [at(folder).id] }, Buffer.from(text));

  async function step(where: 'Horarium' | 'Drive', what: string, act: () => unknown): Promise<void> {
    if (ended.aborted) return;
    const began = performance.now();
    await act();
    say(`\n${where.padEnd(8)}  ${what}`);
    const [ours, theirs] = await inStep(() => api.tree(), tree, ended);
    if (ended.aborted) return;
    const same = ours.join('\n') === theirs.join('\n');
    say(same ? `          in step after ${Math.round(performance.now() - began)} ms` : '          NOT in step:');
    for (const line of same ? ours : [...ours, '--- Drive:', ...theirs]) say(`            ${indented(line)}`);
    if (!same) process.exitCode = 1;
    await pause(BETWEEN_MS, undefined, { signal: ended }).catch(() => undefined);
  }

  let project = '';
  let task = '';
  let policy = '';
  await step('Horarium', 'opens the project "Audit 2027" with two tasks', async () => {
    project = await api.project('Audit 2027');
    task = await api.task(project, 'Access control');
    await api.task(project, 'Backups');
  });
  await step('Horarium', 'uploads policy.txt to "Access control"', async () => {
    policy = await api.upload(project, task, 'policy.txt', 'All doors are locked.');
  });
  await step('Drive', 'somebody puts scan.txt into "Backups"', () => put('scan.txt', 'Audit 2027/Backups', 'scanned'));
  await step('Drive', 'renames it, and writes more into it', () => {
    const scan = at('Audit 2027/Backups/scan.txt');
    files.update(scan, { name: 'restore test.txt' });
    files.write(scan, Buffer.from('scanned, and signed'));
  });
  await step('Horarium', 'renames policy.txt and gives it to the whole project', () =>
    api.patch(`evidence/${policy}`, { name: 'doors.txt', task_id: null }),
  );
  await step('Drive', 'throws the folder "Access control" away: it comes back', () =>
    files.update(at('Audit 2027/Access control'), { trashed: true }),
  );
  await step('Drive', 'renames the folder of the project: so is the project', () =>
    files.update(at('Audit 2027'), { name: 'Audit of 2027' }),
  );
  await step('Horarium', 'deletes doors.txt: it goes to the trash of Drive', () => api.delete(`evidence/${policy}`));
  await step('Drive', 'takes it out of the trash again', () => {
    const doors = [...files.files.values()].find(({ name }) => name === 'doors.txt');
    if (doors !== undefined) files.update(doors, { trashed: false });
  });
  drive.faults.rain(0.2, Math.random);
  await step('Drive', 'fails every fifth request from now on; five files come', () => {
    for (let nr = 1; nr <= 5; nr++) put(`log ${nr}.txt`, 'Audit of 2027/Backups', `log ${nr}`);
  });
  if (process.argv.includes('--once')) return;
  say('\nOn it goes, until Ctrl-C.');
  for (let nr = 6; !ended.aborted; nr++) {
    if (nr % 2 === 0)
      await step('Drive', `log ${nr}.txt comes`, () => put(`log ${nr}.txt`, 'Audit of 2027', `log ${nr}`));
    else
      await step('Horarium', `uploads note ${nr}.txt`, () => api.upload(project, task, `note ${nr}.txt`, `note ${nr}`));
  }
}

/** Both trees, as soon as they are the same twice in a row. */
async function inStep(
  ours: () => Promise<string[]>,
  theirs: () => string[],
  ended: AbortSignal,
): Promise<[string[], string[]]> {
  let last = '';
  for (const until = performance.now() + PATIENCE_MS; ;) {
    const sides: [string[], string[]] = [await ours(), theirs()];
    const same = sides[0].join('\n') === sides[1].join('\n') ? sides[0].join('\n') : '';
    if ((same !== '' && same === last) || ended.aborted || performance.now() > until) return sides;
    last = same;
    await pause(100, undefined, { signal: ended }).catch(() => undefined);
  }
}

function indented(path: string): string {
  const parts = path.replace(/ [0-9a-f]{12}$/, '').split('/');
  const name = parts.at(-1) === '' ? `${parts.at(-2)}/` : parts.at(-1);
  return '   '.repeat(parts.length - (parts.at(-1) === '' ? 2 : 1)) + name;
}

const ended = new AbortController();
const house = new Bench({ rounds: 1, rows: 1 });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    say('\nThe demonstration ends.');
    ended.abort();
    // Whatever is under way: server and database end first, then this.
    void house.close().then(() => process.exit());
  });
}
main(house, ended.signal)
  .catch((error: unknown) => {
    if (ended.signal.aborted) return;
    say(String(error));
    process.exitCode = 1;
  })
  .finally(() => house.close());
