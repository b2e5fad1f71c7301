// Test support, Drive emulator. Drive v3 over HTTP, as far as a sync client goes; and the OAuth endpoints beside it.
import { EmulatedChannels } from './emulated-channels';
import {
  EmulatedFiles,
  EmulatedRefusal,
  FOLDER,
  md5,
  sha256,
  SHORTCUT,
  type EmulatedFile,
  type NewFile,
} from './emulated-files';
import { masked, search } from './emulated-search';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly account: string;
  readonly body: Buffer;
  readonly type: string;
  readonly origin: string;
  readonly range?: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

interface UploadSession {
  readonly space: string;
  readonly meta: NewFile;
  readonly replaced?: EmulatedFile;
  bytes: Buffer;
  /** Made of it. Whoever asks again is answered the same. */
  made?: EmulatedFile;
}

const FEW = 'kind,id,name,mimeType';
const EXPORTS = new Set(['application/pdf', 'text/plain', 'text/csv']);
const LONGEST_EXPORT = 10 * 1024 * 1024;

export class EmulatedApi {
  /** Which shared drives an account is a member of. */
  readonly members = new Map<string, Set<string>>();
  largestPage = 1_000;
  /** Of a piece of an upload no more than so many bytes are taken: a multiple of 256 KiB. */
  largestPiece = Infinity;
  private readonly sessions = new Map<string, UploadSession>();

  constructor(
    readonly store: EmulatedFiles,
    readonly channels: EmulatedChannels,
  ) {}

  async answer(request: ApiRequest): Promise<ApiAnswer> {
    const { method, path, query } = request;
    const route = `${method} ${path}`;
    if (route === 'GET /drive/v3/about') {
      const user = { kind: 'drive#user', emailAddress: request.account, permissionId: `p-${request.account}` };
      return { status: 200, json: masked({ user }, query.get('fields') ?? 'user') };
    }
    if (route === 'GET /drive/v3/files/generateIds') {
      const ids = Array.from({ length: Number(query.get('count') ?? 10) }, () => this.store.newId());
      return { status: 200, json: { kind: 'drive#generatedIds', space: 'drive', ids } };
    }
    if (route === 'GET /drive/v3/changes/startPageToken') {
      return { status: 200, json: { startPageToken: this.store.startToken(this.spaceOf(request)) } };
    }
    if (route === 'GET /drive/v3/changes') return this.changes(request);
    if (route === 'POST /drive/v3/changes/watch') {
      if (!query.has('pageToken')) throw new EmulatedRefusal(400, 'required', 'Required: pageToken');
      const space = this.spaceOf(request);
      return { status: 200, json: await this.channels.watch(space, request.account, jsonOf(request.body)) };
    }
    if (route === 'POST /drive/v3/channels/stop') {
      this.channels.stop(request.account, jsonOf(request.body));
      return { status: 204 };
    }
    if (path.startsWith('/upload/')) return this.upload(request);
    if (route === 'GET /drive/v3/files') return this.list(request);
    if (route === 'POST /drive/v3/files') return this.made(request, this.store.create(...this.asked(request)));
    const [, id = '', exported] = /^\/drive\/v3\/files\/([^/]+)(\/export)?$/.exec(path) ?? [];
    if (id === '') throw new EmulatedRefusal(404, 'notFound');
    const file = this.store.visible(decodeURIComponent(id), this.spacesOf(request));
    if (exported !== undefined) return this.exported(file, query.get('mimeType') ?? '');
    if (method === 'GET')
      return query.get('alt') === 'media' ? this.media(file, request.range) : this.made(request, file);
    if (method === 'DELETE') {
      this.store.remove(file);
      return { status: 204 };
    }
    const change = jsonOf(request.body) as Partial<NewFile> & { trashed?: boolean };
    return this.made(request, this.store.update(file, { ...change, addParents: query.get('addParents') ?? undefined }));
  }

  shown(file: EmulatedFile): Record<string, unknown> {
    const { content, space, version, ...rest } = file;
    return {
      kind: 'drive#file',
      ...rest,
      version: String(version),
      trashed: this.store.trashed(file),
      ...(space.startsWith('drive:') ? { driveId: space.slice('drive:'.length) } : {}),
      ...(content === undefined
        ? {}
        : {
            size: String(content.length),
            ...(isNative(file) ? {} : { md5Checksum: md5(content), sha256Checksum: sha256(content) }),
          }),
    };
  }

  private spaceOf({ account, query }: ApiRequest): string {
    const drive = query.get('driveId');
    if (drive === null) return `account:${account}`;
    if (query.get('supportsAllDrives') !== 'true' || this.members.get(drive)?.has(account) !== true) {
      throw new EmulatedRefusal(404, 'notFound', `Shared drive not found: ${drive}`);
    }
    return `drive:${drive}`;
  }

  private spacesOf({ account, query }: ApiRequest): string[] {
    const own = `account:${account}`;
    if (query.get('supportsAllDrives') !== 'true') return [own];
    return [own, ...[...this.members].flatMap(([id, of]) => (of.has(account) ? [`drive:${id}`] : []))];
  }

  private changes(request: ApiRequest): ApiAnswer {
    const { query } = request;
    const size = Math.min(Number(query.get('pageSize') ?? 100), this.largestPage);
    const found = this.store.changesAfter(this.spaceOf(request), query.get('pageToken') ?? '', size);
    const changes = found.changes.map(({ fileId, removed, time }) => {
      const file = this.store.files.get(fileId);
      const gone = removed || file === undefined;
      return {
        kind: 'drive#change',
        changeType: 'file',
        fileId,
        time,
        removed: gone,
        ...(gone ? {} : { file: this.shown(file) }),
      };
    });
    return {
      status: 200,
      json: masked({ ...found, changes }, query.get('fields') ?? 'nextPageToken,newStartPageToken,changes(fileId)'),
    };
  }

  private list(request: ApiRequest): ApiAnswer {
    const { query } = request;
    const matches = search(query.get('q') ?? '');
    const spaces =
      query.get('includeItemsFromAllDrives') === 'true' ? this.spacesOf(request) : [`account:${request.account}`];
    const all = [...this.store.files.values()].filter(
      (file) => spaces.includes(file.space) && matches(file, this.store.trashed(file)),
    );
    const from = Number(query.get('pageToken') ?? 0);
    const size = Math.min(Number(query.get('pageSize') ?? 100), this.largestPage);
    const files = all.slice(from, from + size).map((file) => this.shown(file));
    const nextPageToken = from + size < all.length ? String(from + size) : undefined;
    return {
      status: 200,
      json: masked({ files, nextPageToken }, query.get('fields') ?? `nextPageToken,files(${FEW})`),
    };
  }

  private asked(request: ApiRequest): [string, NewFile] {
    const asked = jsonOf(request.body) as NewFile;
    const parent = asked.parents?.[0];
    if (parent !== undefined && parent !== 'root') this.store.visible(parent, this.spacesOf(request));
    return [`account:${request.account}`, asked];
  }

  private made({ query }: ApiRequest, file: EmulatedFile): ApiAnswer {
    return { status: 200, json: masked(this.shown(file), query.get('fields') ?? FEW) };
  }

  private media(file: EmulatedFile, _range: string | undefined): ApiAnswer {
    if (file.content === undefined || isNative(file)) throw new EmulatedRefusal(403, 'fileNotDownloadable');
    return { status: 200, bytes: file.content, headers: { 'Content-Type': file.mimeType } };
  }

  private exported(file: EmulatedFile, mimeType: string): ApiAnswer {
    if (!isNative(file)) throw new EmulatedRefusal(403, 'fileNotExportable');
    if (!EXPORTS.has(mimeType) && !mimeType.includes('officedocument')) throw new EmulatedRefusal(400, 'badRequest');
    const content = file.content ?? Buffer.alloc(0);
    if (content.length > LONGEST_EXPORT) throw new EmulatedRefusal(403, 'exportSizeLimitExceeded');
    return { status: 200, bytes: content, headers: { 'Content-Type': mimeType } };
  }

  private upload(request: ApiRequest): ApiAnswer {
    const { method, path, query, body } = request;
    const [, id] = /^\/upload\/drive\/v3\/files(?:\/([^/]+))?$/.exec(path) ?? [];
    const session = query.get('upload_id');
    if (session !== null) return this.chunk(request, session);
    const existing = id === undefined ? undefined : this.store.visible(decodeURIComponent(id), this.spacesOf(request));
    if (query.get('uploadType') === 'resumable') {
      const key = this.store.newId();
      const [space, meta] = this.asked(request);
      if (meta.id !== undefined && this.store.files.has(meta.id)) {
        throw new EmulatedRefusal(409, 'fileIdInUse', 'A file already exists with the provided ID.');
      }
      this.sessions.set(key, {
        space,
        meta,
        ...(existing === undefined ? {} : { replaced: existing }),
        bytes: Buffer.alloc(0),
      });
      return {
        status: 200,
        headers: { Location: `${request.origin}${path}?uploadType=resumable&upload_id=${key}&${fieldsOf(query)}` },
      };
    }
    const { meta, content } = multipart(body, request.type);
    if (existing !== undefined) {
      this.store.write(existing, content);
      return this.made(request, this.store.update(existing, method === 'PATCH' ? meta : {}));
    }
    const [space, asked] = this.asked({ ...request, body: Buffer.from(JSON.stringify(meta)) });
    return this.made(request, this.store.create(space, asked, content));
  }

  private chunk(request: ApiRequest, key: string): ApiAnswer {
    const session = this.sessions.get(key);
    if (session === undefined) throw new EmulatedRefusal(404, 'notFound', 'no such session');
    if (session.made !== undefined) return this.made(request, session.made);
    const [, first, total = ''] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(request.range ?? '') ?? [];
    if (first !== undefined) {
      if (Number(first) !== session.bytes.length) throw new EmulatedRefusal(400, 'badRequest', 'Not the next byte');
      session.bytes = Buffer.concat([session.bytes, request.body.subarray(0, this.largestPiece)]);
    }
    const { bytes, replaced } = session;
    if (bytes.length < Number(total)) {
      return { status: 308, headers: bytes.length === 0 ? {} : { Range: `bytes=0-${bytes.length - 1}` } };
    }
    if (replaced !== undefined) this.store.write(replaced, bytes);
    session.made =
      replaced === undefined
        ? this.store.create(session.space, session.meta, bytes)
        : this.store.update(replaced, session.meta);
    return this.made(request, session.made);
  }

  /** As when a week has gone by. */
  forgetSessions(): void {
    this.sessions.clear();
  }
}

export function isNative({ mimeType }: { mimeType: string }): boolean {
  return mimeType.startsWith('application/vnd.google-apps.') && mimeType !== FOLDER && mimeType !== SHORTCUT;
}

function fieldsOf(query: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of ['fields', 'supportsAllDrives']) if (query.has(name)) kept.set(name, query.get(name)!);
  return kept.toString();
}

function jsonOf(body: Buffer): Record<string, unknown> {
  return body.length === 0 ? {} : (JSON.parse(body.toString()) as Record<string, unknown>);
}

function multipart(body: Buffer, type: string): { meta: NewFile; content: Buffer } {
  const boundary = /boundary=("?)([^";]+)\1/.exec(type)?.[2];
  if (boundary === undefined) return { meta: {}, content: body };
  const mark = Buffer.from(`--${boundary}`);
  const found: Buffer[] = [];
  for (let at = body.indexOf(mark); at >= 0;) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    found.push(part.subarray(part.indexOf('\r\n\r\n') + 4));
    at = next;
  }
  const meta = JSON.parse(found[0]?.toString() ?? '{}') as NewFile;
  return { meta, content: Buffer.from(found[1] ?? Buffer.alloc(0)) };
}
