// Outbound adapter. A file for each run that is in hand, beside the identity.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkBook } from '../ports/work-book';

export class FileWorkBook implements WorkBook {
  constructor(private readonly folder: string) {}

  async note(requestId: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.file(requestId), requestId, { mode: 0o600 });
  }

  async strike(requestId: string): Promise<void> {
    await rm(this.file(requestId), { force: true });
  }

  async leftovers(): Promise<string[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const texts = await Promise.all(names.map((name) => readFile(join(this.folder, name), 'utf8')));
    // An empty one was made in the moment of the crash: nothing had been started yet.
    return texts.filter((text) => text !== '');
  }

  private file(requestId: string): string {
    return join(this.folder, createHash('sha256').update(requestId).digest('hex').slice(0, 32));
  }
}
