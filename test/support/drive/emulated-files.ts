// Test support, Drive emulator. What Drive stores: files of accounts and of shared drives, and the log of their changes.
// HTTP knows nothing of it here: emulated-api.ts translates. People's edits in tests call this class directly.
import { createHash, randomBytes } from 'node:crypto';

export const FOLDER = 'application/vnd.google-apps.folder';
export const SHORTCUT = 'application/vnd.google-apps.shortcut';

export interface EmulatedFile {
  readonly id: string;
  name: string;
  mimeType: string;
  parents: string[];
  explicitlyTrashed: boolean;
  version: number;
  modifiedTime: string;
  readonly createdTime: string;
  appProperties: Record<string, string>;
  shortcutDetails?: { targetId: string; targetMimeType?: string };
  content?: Buffer;
  headRevisionId?: string;
  /** `account:<email>` or `drive:<id>`. */
  readonly space: string;
}

/** How the API refuses: status and reason as Drive words them. */
export class EmulatedRefusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message = reason,
    readonly location?: string,
  ) {
    super(message);
  }
}

interface Change {
  readonly seq: number;
  readonly fileId: string;
  readonly removed: boolean;
  readonly time: string;
}

export interface NewFile {
  id?: string;
  name?: string;
  mimeType?: string;
  parents?: string[];
  appProperties?: Record<string, string>;
  shortcutDetails?: { targetId: string };
}

export class EmulatedFiles {
  readonly files = new Map<string, EmulatedFile>();
  readonly rejectedTokens = new Set<string>();
  private readonly log = new Map<string, Change[]>();
  private readonly roots = new Map<string, string>();
  private generated = 0;
  /** Told of the space in which something changed. */
  onChange: (space: string) => void = () => undefined;

  constructor(private readonly now: () => Date) {}

  rootOf(space: string): string {
    let root = this.roots.get(space);
    if (root === undefined) {
      root = space.startsWith('drive:') ? space.slice('drive:'.length) : this.newId();
      this.roots.set(space, root);
      this.log.set(space, []);
      this.files.set(root, this.record({ id: root, name: 'My Drive', mimeType: FOLDER, parents: [] }, space));
    }
    return root;
  }

  newId(): string {
    this.generated += 1;
    return `emu${this.generated.toString(36).padStart(6, '0')}${randomBytes(8).toString('hex')}`;
  }

  visible(id: string, spaces: readonly string[]): EmulatedFile {
    const file = this.files.get(id);
    if (file === undefined || !spaces.includes(file.space)) {
      throw new EmulatedRefusal(404, 'notFound', `File not found: ${id}.`, 'fileId');
    }
    return file;
  }

  trashed(file: EmulatedFile): boolean {
    for (let at: EmulatedFile | undefined = file; at !== undefined; at = this.files.get(at.parents[0] ?? '')) {
      if (at.explicitlyTrashed) return true;
    }
    return false;
  }

  create(space: string, asked: NewFile, content?: Buffer): EmulatedFile {
    if (asked.id !== undefined && this.files.has(asked.id)) {
      throw new EmulatedRefusal(409, 'fileIdInUse', 'A file already exists with the provided ID.');
    }
    const parent = asked.parents?.[0] ?? this.rootOf(space);
    const home = this.files.get(parent === 'root' ? this.rootOf(space) : parent);
    if (home === undefined) throw new EmulatedRefusal(404, 'notFound', `File not found: ${parent}.`, 'fileId');
    const file = this.record({ ...asked, id: asked.id ?? this.newId(), parents: [home.id] }, home.space);
    if (content !== undefined) this.put(file, content);
    this.files.set(file.id, file);
    this.changed(file);
    return file;
  }

  update(file: EmulatedFile, change: Partial<NewFile> & { trashed?: boolean; addParents?: string }): EmulatedFile {
    if (change.name !== undefined) file.name = change.name;
    if (change.mimeType !== undefined) file.mimeType = change.mimeType;
    if (change.trashed !== undefined) file.explicitlyTrashed = change.trashed;
    if (change.appProperties !== undefined) Object.assign(file.appProperties, change.appProperties);
    if (change.addParents !== undefined) {
      const home = this.files.get(change.addParents);
      if (home === undefined) throw new EmulatedRefusal(404, 'notFound', `File not found: ${change.addParents}.`);
      file.parents = [home.id];
    }
    this.changed(file);
    return file;
  }

  write(file: EmulatedFile, content: Buffer): void {
    this.put(file, content);
    file.modifiedTime = this.now().toISOString();
    this.changed(file);
  }

  /** Skips the trash, and takes descendants along. */
  remove(file: EmulatedFile): void {
    for (const child of this.childrenOf(file.id)) this.remove(child);
    this.files.delete(file.id);
    this.entered(file, true);
  }

  childrenOf(id: string): EmulatedFile[] {
    return [...this.files.values()].filter(({ parents }) => parents[0] === id);
  }

  startToken(space: string): string {
    this.rootOf(space);
    return `${space}|${this.log.get(space)?.at(-1)?.seq ?? 0}`;
  }

  /** The newest entry of each file after the token, in order; at most `size`. */
  changesAfter(space: string, token: string, size: number) {
    const [of, seqText = ''] = token.split('|');
    if (of !== space || !/^\d+$/.test(seqText) || this.rejectedTokens.has(token)) {
      throw new EmulatedRefusal(400, 'invalid', 'Invalid Value', 'pageToken');
    }
    const newest = new Map<string, Change>();
    for (const change of this.log.get(space) ?? []) {
      if (change.seq > Number(seqText)) {
        newest.delete(change.fileId);
        newest.set(change.fileId, change);
      }
    }
    const all = [...newest.values()];
    const page = all.slice(0, size);
    const last = page.at(-1);
    const more = all.length > size && last !== undefined;
    return more
      ? { changes: page, nextPageToken: `${space}|${last.seq}` }
      : { changes: page, newStartPageToken: this.startToken(space) };
  }

  private record(asked: NewFile & { id: string; parents: string[] }, space: string): EmulatedFile {
    const time = this.now().toISOString();
    return {
      id: asked.id,
      name: asked.name ?? 'Untitled',
      mimeType: asked.mimeType ?? 'application/octet-stream',
      parents: asked.parents,
      explicitlyTrashed: false,
      version: 1,
      modifiedTime: time,
      createdTime: time,
      appProperties: { ...asked.appProperties },
      ...(asked.shortcutDetails === undefined ? {} : { shortcutDetails: this.shortcutTo(asked.shortcutDetails) }),
      space,
    };
  }

  private shortcutTo({ targetId }: { targetId: string }): { targetId: string; targetMimeType?: string } {
    return { targetId, targetMimeType: this.files.get(targetId)?.mimeType };
  }

  private put(file: EmulatedFile, content: Buffer): void {
    file.content = content;
    file.headRevisionId = `rev-${randomBytes(6).toString('hex')}`;
  }

  private changed(file: EmulatedFile): void {
    file.version += 1;
    this.entered(file, false);
  }

  private entered({ id, space }: EmulatedFile, removed: boolean): void {
    const log = this.log.get(space);
    const seq = (log?.at(-1)?.seq ?? 0) + 1;
    log?.push({ seq, fileId: id, removed, time: this.now().toISOString() });
    this.onChange(space);
  }
}

export function md5(content: Buffer): string {
  return hashed('md5', content);
}

export function sha256(content: Buffer): string {
  return hashed('sha256', content);
}

/** Once for each content: a listing shows them all. */
const hashes = { md5: new WeakMap<Buffer, string>(), sha256: new WeakMap<Buffer, string>() };

function hashed(algorithm: keyof typeof hashes, content: Buffer): string {
  const known = hashes[algorithm].get(content) ?? createHash(algorithm).update(content).digest('hex');
  hashes[algorithm].set(content, known);
  return known;
}
