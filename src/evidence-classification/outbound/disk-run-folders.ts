// Outbound adapter. The folders of runs, in the data folder. Whatever the classifier puts into `out` is strange to us: no
// link of it is followed, nothing that is no plain file is opened, and no more is read than we asked for.
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FolderTrace, GivenFile, Reading, RunFolders } from '../ports/run-folders';

const READ_AT_ONCE = 1_048_576;
const LONGEST_MANIFEST = 65_536;

export class DiskRunFolders implements RunFolders {
  private readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  paths(runId: string): { in: string; out: string } {
    const folder = this.folder(runId);
    return { in: join(folder, 'in'), out: join(folder, 'out') };
  }

  /** Written once. A host's name would not do: a container gets another one with each start. */
  async place(): Promise<string> {
    const path = join(this.root, 'place');
    const known = await readFile(path, 'utf8').catch(() => '');
    if (known !== '') return known;
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    const fresh = join(this.root, `.${randomUUID()}`);
    await writeFile(fresh, randomUUID(), { flag: 'wx' });
    // Whoever is first wins, and nobody reads half of it.
    await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(fresh);
    return readFile(path, 'utf8');
  }

  async traces(): Promise<FolderTrace[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch(() => []);
    const found = entries.map(async (entry) => {
      const about = entry.isDirectory() ? await lstat(join(this.root, entry.name)).catch(() => undefined) : undefined;
      return about === undefined ? [] : [{ runId: entry.name, startedAt: about.mtime }];
    });
    return (await Promise.all(found)).flat();
  }

  async prepare(runId: string, files: AsyncIterable<GivenFile>): Promise<void> {
    const paths = this.paths(runId);
    // Nobody but root and us comes this far down; within, the classifier's own user reads and writes.
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    await mkdir(join(paths.in, 'files'), { recursive: true, mode: 0o755 });
    await mkdir(paths.out, { recursive: true });
    const out = await open(paths.out, constants.O_RDONLY | constants.O_DIRECTORY);
    await out.chmod(0o1777).finally(() => out.close());
    const list: { id: string; name: string; mime_type: string; path: string }[] = [];
    for await (const { evidenceId, name, mimeType, content } of files) {
      const path = `files/${list.length + 1}`;
      await write(join(paths.in, path), content);
      list.push({ id: evidenceId, name, mime_type: mimeType, path });
    }
    await write(join(paths.in, 'job.json'), [Buffer.from(JSON.stringify({ version: 1, run: runId, files: list }))]);
  }

  async progress(runId: string, offset: number): Promise<Reading> {
    const piece = await this.read(join(this.paths(runId).out, 'progress.ndjson'), offset, READ_AT_ONCE);
    if (piece === null) return { lines: [], offset };
    const end = piece.lastIndexOf(0x0a);
    if (end === -1) {
      // A line that is longer than all that is read at once is none of ours: it is passed over.
      return { lines: [], offset: piece.byteLength === READ_AT_ONCE ? offset + piece.byteLength : offset };
    }
    const lines = piece.subarray(0, end).toString('utf8').split('\n');
    return { lines, offset: offset + end + 1 };
  }

  async manifestFiles(runId: string): Promise<number | null> {
    const text = await this.read(join(this.paths(runId).out, 'manifest.json'), 0, LONGEST_MANIFEST);
    if (text === null) return null;
    try {
      const { files } = JSON.parse(text.toString('utf8')) as { files?: unknown };
      return typeof files === 'number' ? files : null;
    } catch {
      return null;
    }
  }

  async written(runId: string): Promise<number> {
    return sizeOf(this.paths(runId).out, 0);
  }

  async remove(runId: string): Promise<void> {
    await rm(this.folder(runId), { recursive: true, force: true });
  }

  private folder(runId: string): string {
    if (!/^[\w-]+$/.test(runId)) throw new Error(`no id of a run: ${runId}`);
    return join(this.root, runId);
  }

  private async read(path: string, offset: number, length: number): Promise<Buffer | null> {
    let file: FileHandle;
    try {
      // A pipe would keep us waiting for its other end, and a link would lead out of the folder.
      file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return null;
    }
    try {
      if (!(await file.stat()).isFile()) return null;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}

async function write(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    for await (const piece of content) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

async function sizeOf(folder: string, depth: number): Promise<number> {
  if (depth > 5) return 0;
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await sizeOf(path, depth + 1);
    else sum += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return sum;
}
