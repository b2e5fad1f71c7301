// Outbound adapter. One file, 0600 in a folder of 0700: key and certificate change together or not at all.
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../kernel/domain-error';
import type { KeptIdentity } from '../domain/identity';
import type { IdentityStore } from '../ports/identity-store';

export class IdentityUnreadableError extends DomainError {
  readonly kind = 'corrupt';
  readonly code = 'agent-program.identity-unreadable';
}

type Stored = { readonly [K in keyof KeptIdentity]: KeptIdentity[K] extends Date ? string : KeptIdentity[K] };

export class FileIdentityStore implements IdentityStore {
  private readonly file: string;
  private readonly pending: string;

  constructor(private readonly folder: string) {
    this.file = join(folder, 'identity.json');
    this.pending = join(folder, 'pending-key.pem');
  }

  get where(): string {
    return this.folder;
  }

  async read(): Promise<KeptIdentity | undefined> {
    const text = await readIfThere(this.file);
    if (text === undefined) return undefined;
    try {
      const stored = JSON.parse(text) as Stored;
      return { ...stored, notAfter: new Date(stored.notAfter), renewAfter: new Date(stored.renewAfter) };
    } catch {
      throw new IdentityUnreadableError(`${this.file} cannot be read: enrol anew with --again.`);
    }
  }

  async write(identity: KeptIdentity): Promise<void> {
    await this.replace(this.file, `${JSON.stringify(identity, null, 2)}\n`);
  }

  async pendingKey(make: () => Promise<string>): Promise<string> {
    const kept = await readIfThere(this.pending);
    if (kept !== undefined) return kept;
    const key = await make();
    await this.replace(this.pending, key);
    return key;
  }

  async forgetPending(): Promise<void> {
    await rm(this.pending, { force: true });
  }

  /** A crash leaves the old file or the new one. */
  private async replace(file: string, text: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    const beside = `${file}.new`;
    await rm(beside, { force: true });
    const handle = await open(beside, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new IdentityUnreadableError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
