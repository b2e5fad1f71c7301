// Outbound adapter. Files in a folder of this machine, one for each key, spread over sub-folders.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FileTooLargeError, StoreUnavailableError } from '../domain/errors';
import type { StoredContent } from '../domain/evidence';
import type { FileStore } from '../ports/file-store';

export class FolderFileStore implements FileStore {
  private readonly root: string;

  constructor(root: string) {
    this.root = resolve(root);
  }

  async write(key: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredContent> {
    const path = this.pathOf(key);
    const partial = `${path}.partial`;
    await this.reachable(() => mkdir(dirname(path), { recursive: true, mode: 0o700 }));
    const file = await this.reachable(() => open(partial, 'wx', 0o600));
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const piece of content) {
        sizeBytes += piece.byteLength;
        if (sizeBytes > maxBytes) throw new FileTooLargeError(maxBytes);
        hash.update(piece);
        await this.reachable(() => file.writeFile(piece));
      }
      // On the disk before it has its name: a file that is there is whole, also after a power cut.
      await this.reachable(() => file.sync());
      await file.close();
      await rename(partial, path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(partial, { force: true }).catch(() => undefined);
      throw error;
    }
    return { storageKey: key, sizeBytes, sha256: hash.digest('hex') };
  }

  async read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    const path = this.pathOf(key);
    try {
      const file = await open(path, 'r');
      return createReadStream(path, { fd: file, autoClose: true }) as AsyncIterable<Uint8Array>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new StoreUnavailableError('the file cannot be opened', error);
    }
  }

  async remove(key: string): Promise<void> {
    await this.reachable(() => rm(this.pathOf(key), { force: true }));
  }

  async check(): Promise<void> {
    await this.reachable(async () => {
      await mkdir(this.root, { recursive: true, mode: 0o700 });
      await access(this.root, constants.R_OK | constants.W_OK);
    });
  }

  /** Keys are ours and never come from outside; checked nevertheless, since a path is made of them. */
  private pathOf(key: string): string {
    if (!/^[\w-]+(\/[\w-]+)+$/.test(key)) throw new Error(`no key of a file: ${key}`);
    const parts = key.split('/');
    const name = parts.pop() ?? '';
    return join(this.root, ...parts, name.slice(-2), name);
  }

  private async reachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new StoreUnavailableError(code === 'ENOSPC' ? 'the disk is full' : `the folder answers ${code}`, error);
    }
  }
}
