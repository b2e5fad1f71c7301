// Benchmark. The first sync of 5,000 files: they are in Drive, and the house has never seen them. The server is a process
// of its own, so that its memory is its own; the emulated Drive is in this one.
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../src/platform/embedded/free-port';
import { HEAP_LIMIT } from '../../src/platform/service/heap-limit';
import { DemoApi } from '../../test/demo/demo-api';
import { theirsRootOf } from '../../test/support/drive/both-sides';
import { DriveEmulator } from '../../test/support/drive/drive-emulator';
import type { Bench, Benchmark } from '../bench';
import { rounded } from '../figures';
import { cpuMs, mostResidentMb, residentMb } from '../processes';
import { scratchServer } from '../scratch-server';
import { startServer, tokenFor } from '../server-process';

const FILES = 5_000;
const BYTES = 4_096;

export const driveSync: Benchmark = {
  name: 'drive-sync',
  about: 'the first sync of 5,000 files in one pass: seconds, and the most memory of the server (target: under 250 MB)',
  minutes: 15,
  run: async (bench) => ({ files: FILES, ...(await firstSync(bench)) }),
};

async function firstSync(bench: Bench): Promise<object> {
  const database = await (await scratchServer(bench)).database();
  const drive = await DriveEmulator.start();
  bench.later(() => drive.close());
  const port = await freePort();
  const env = {
    ...drive.settings(),
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    NODE_OPTIONS: HEAP_LIMIT,
  };
  const server = await startServer(bench, { dataDir: bench.folder(), database, env });
  const api = new DemoApi(server.url, await tokenFor('alice', 'manager'));
  await api.connect();
  await api.task(await api.project('Audit'), 'Doors');
  const folder = (): string | undefined => {
    const root = theirsRootOf(drive, drive.space());
    const [project] = root === undefined ? [] : drive.files.childrenOf(root);
    return project === undefined ? undefined : drive.files.childrenOf(project.id)[0]?.id;
  };
  const working = async (): Promise<boolean> => {
    const { rows } = await database.admin.query<{ working: boolean }>(
      'select exists (select from drive_sync_jobs where finished_at is null) as working',
    );
    return rows[0]?.working === true;
  };
  while (folder() === undefined || (await working())) await pause(50);
  drive.channels.delivery = () => 'lose';
  for (let nr = 0; nr < FILES; nr++) {
    const file = { name: `file ${nr}.txt`, mimeType: 'text/plain', parents: [folder()!] };
    drive.files.create(drive.space(), file, Buffer.alloc(BYTES, `${nr} `));
  }
  const before = { memory: residentMb(server.pid), cpu: cpuMs(server.pid), downloads: drive.downloads() };
  bench.say(`${FILES} files are there; the server has ${rounded(before.memory)} MB`);
  const since = performance.now();
  await api.rebuild();
  for (;;) {
    await pause(250);
    if (!(await working())) break;
  }
  const seconds = (performance.now() - since) / 1_000;
  const { rows } = await database.admin.query<{ files: number }>(
    'select count(distinct drive_file_id)::integer as files from evidence where deleted_at is null',
  );
  const result = {
    imported: rows[0]?.files,
    downloads: drive.downloads() - before.downloads,
    seconds: rounded(seconds),
    filesPerSecond: rounded(FILES / seconds),
    nodeCpuSeconds: rounded((cpuMs(server.pid) - before.cpu) / 1_000),
    memoryBeforeMb: rounded(before.memory),
    mostMemoryMb: rounded(mostResidentMb(server.pid)),
  };
  await server.stop();
  return result;
}
