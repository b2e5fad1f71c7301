// Outbound adapter: Google Drive through one tenant's grant.
import { Readable } from 'node:stream';
import type { drive_v3 } from '@googleapis/drive';
import { DomainError } from '../../kernel/domain-error';
import type { DriveChange, DriveFile } from '../domain/drive-file';
import { DriveProblemError } from '../domain/drive-problem';
import type { Content } from '../domain/content';
import type { ChannelAsk, Drive, FileEdit, NewFolder, NewUpload } from '../ports/drive';
import { CHANGE_FIELDS, FILE_FIELDS, MARK, toFile } from './drive-file.wire';
import { type DriveApi, type GoogleClient, type OAuthClient, problem } from './google-client';
import { putResumable } from './resumable-upload';

const FOLDER = 'application/vnd.google-apps.folder';
/** Shared drives, always: without it their items are "not found". */
const ALL = { supportsAllDrives: true } as const;
const LONGEST_TRANSFER_MS = 30 * 60_000;
/** Above it an upload goes in pieces. */
const SMALL = 5 * 1024 * 1024;

export class GoogleDrive implements Drive {
  private readonly api: DriveApi;

  constructor(
    readonly tenantId: number,
    readonly generation: number,
    readonly driveId: string | null,
    private readonly google: GoogleClient,
    private readonly oauth: OAuthClient,
    /** Told of an access token that Drive did not take. */
    private readonly refused: (token: string) => void = () => undefined,
  ) {
    this.api = google.api(oauth);
  }

  async newIds(count: number): Promise<string[]> {
    const { ids } = await this.call('files.generateIds', () =>
      this.api.files.generateIds({ count, space: 'drive', type: 'files' }, this.google.perCall()),
    );
    if (ids?.length !== count) throw problem({ status: 502 }, 'files.generateIds');
    return ids;
  }

  async startPageToken(): Promise<string> {
    const { startPageToken } = await this.call('changes.getStartPageToken', () =>
      this.api.changes.getStartPageToken({ ...this.feed() }, this.google.perCall()),
    );
    return startPageToken ?? '';
  }

  async changes(pageToken: string): Promise<{ changes: DriveChange[]; next: string; last: boolean }> {
    const asked = { pageToken, pageSize: 1000, includeRemoved: true, spaces: 'drive', fields: CHANGE_FIELDS };
    const answer = await this.call('changes.list', () =>
      this.api.changes.list({ ...asked, ...this.feed(), includeItemsFromAllDrives: true }, this.google.perCall()),
    );
    const changes = (answer.changes ?? []).flatMap(({ changeType, fileId, removed, file }): DriveChange[] =>
      changeType === 'drive' || typeof fileId !== 'string'
        ? []
        : [{ fileId, removed: removed === true, file: file === undefined || file === null ? null : toFile(file) }],
    );
    const { nextPageToken, newStartPageToken } = answer;
    return { changes, next: nextPageToken ?? newStartPageToken ?? pageToken, last: typeof nextPageToken !== 'string' };
  }

  async file(fileId: string): Promise<DriveFile> {
    return toFile(
      await this.call('files.get', () =>
        this.api.files.get({ fileId, fields: FILE_FIELDS, ...ALL }, this.google.perCall()),
      ),
    );
  }

  async children(folderId: string, pageToken?: string): Promise<{ files: DriveFile[]; next: string | null }> {
    const drive = this.driveId === null ? { corpora: 'user' } : { corpora: 'drive', driveId: this.driveId };
    const asked = {
      q: `'${folderId.replace(/[\\']/g, '\\$&')}' in parents and trashed = false`,
      pageSize: 1000,
      fields: `nextPageToken,files(${FILE_FIELDS})`,
      spaces: 'drive',
      includeItemsFromAllDrives: true,
      ...drive,
      ...ALL,
      ...(pageToken === undefined ? {} : { pageToken }),
    };
    const answer = await this.call('files.list', () => this.api.files.list(asked, this.google.perCall()));
    return { files: (answer.files ?? []).map(toFile), next: answer.nextPageToken ?? null };
  }

  async createFolder({ id, name, parentId, mark }: NewFolder): Promise<DriveFile> {
    const requestBody = { id, name, parents: [parentId], mimeType: FOLDER, appProperties: { [MARK]: mark } };
    return toFile(
      await this.call('files.create', () =>
        this.api.files.create({ requestBody, fields: FILE_FIELDS, ...ALL }, this.google.perCall()),
      ),
    );
  }

  upload(file: NewUpload, content: Content): Promise<DriveFile> {
    const { id, name, parentId, mark, mimeType } = file;
    const requestBody = { id, name, parents: [parentId], mimeType, appProperties: { [MARK]: mark } };
    return this.transfer('files.create', undefined, requestBody, file, content);
  }

  replace(id: string, file: { mimeType: string; size: number }, content: Content): Promise<DriveFile> {
    return this.transfer('files.update', id, {}, file, content);
  }

  async edit(fileId: string, { name, trashed, move }: FileEdit): Promise<DriveFile> {
    const requestBody = { ...(name === undefined ? {} : { name }), ...(trashed === undefined ? {} : { trashed }) };
    const places =
      move === undefined ? {} : { addParents: move.to, ...(move.from === '' ? {} : { removeParents: move.from }) };
    return toFile(
      await this.call('files.update', () =>
        this.api.files.update({ fileId, requestBody, fields: FILE_FIELDS, ...places, ...ALL }, this.google.perCall()),
      ),
    );
  }

  async download(fileId: string): Promise<Content> {
    return this.stream('files.get media', () =>
      this.api.files.get({ fileId, alt: 'media', ...ALL }, { ...this.google.perCall(LONGEST_TRANSFER_MS), ...STREAM }),
    );
  }

  async export(fileId: string, mimeType: string): Promise<Content> {
    return this.stream('files.export', () =>
      this.api.files.export({ fileId, mimeType }, { ...this.google.perCall(LONGEST_TRANSFER_MS), ...STREAM }),
    );
  }

  async watch({
    id,
    address,
    token,
    expiresAt,
    pageToken,
  }: ChannelAsk): Promise<{ resourceId: string; expiresAt: Date }> {
    const requestBody = { id, type: 'web_hook', address, token, expiration: String(expiresAt.getTime()) };
    const asked = { pageToken, includeRemoved: true, includeItemsFromAllDrives: true, spaces: 'drive', requestBody };
    const answer = await this.call('changes.watch', () =>
      this.api.changes.watch({ ...asked, ...this.feed() }, this.google.perCall()),
    );
    // What was given counts, not what was asked for; said of nothing, it is the hour that Drive gives by itself.
    const given = Number(answer.expiration);
    const expires = Number.isFinite(given) && given > 0 ? new Date(given) : expiresAt;
    return { resourceId: answer.resourceId ?? '', expiresAt: expires };
  }

  async stopChannel(id: string, resourceId: string): Promise<void> {
    await this.call('channels.stop', () =>
      this.api.channels.stop({ requestBody: { id, resourceId } }, this.google.perCall()),
    );
  }

  private feed() {
    return this.driveId === null ? ALL : { driveId: this.driveId, ...ALL };
  }

  /** What was not sent is closed: it may be an open file. */
  private async transfer(...asked: Parameters<GoogleDrive['send']>): Promise<DriveFile> {
    const [name, , , , content] = asked;
    try {
      return await this.attempt(name, () => this.send(...asked));
    } catch (error) {
      // A stream is sent once: the queue sends it again, with another token.
      throw isStale(error) ? new DriveProblemError({ message: 'the access token was refused' }, name) : error;
    } finally {
      if (content instanceof Readable) content.destroy();
    }
  }

  private async send(
    _: string,
    id: string | undefined,
    requestBody: drive_v3.Schema$File,
    { mimeType, size }: { mimeType: string; size: number },
    content: Content,
  ): Promise<DriveFile> {
    const options = this.google.perCall(LONGEST_TRANSFER_MS);
    if (size > SMALL) {
      const target = { rootUrl: this.google.rootUrl, id, meta: requestBody, mimeType, size, fields: FILE_FIELDS };
      return toFile(await putResumable(this.oauth, options, target, content));
    }
    const media = { mimeType, body: Readable.from(content) };
    const asked = { requestBody, media, fields: FILE_FIELDS, ...ALL };
    const answer =
      id === undefined
        ? await this.api.files.create(asked, options)
        : await this.api.files.update({ ...asked, fileId: id }, options);
    return toFile(answer.data);
  }

  private async stream(name: string, ask: () => Promise<{ data: unknown }>): Promise<Content> {
    const content = await this.call(name, ask);
    return guarded(content as Content, name);
  }

  /** A 401 is answered by a fresh access token and one more try; a second one means that the grant is gone. */
  private async call<T>(name: string, ask: () => Promise<{ data: T }>): Promise<T> {
    try {
      return (await this.attempt(name, ask)).data;
    } catch (error) {
      if (!isStale(error)) throw error;
      return (await this.attempt(name, ask)).data;
    }
  }

  /** The token first: it is known which one was refused, and no stream is sent half-way under one that has run out. */
  private async attempt<T>(name: string, ask: () => Promise<T>): Promise<T> {
    const token = await this.accessToken();
    try {
      return await ask();
    } catch (error) {
      const failed = problem(error, name);
      if (isStale(failed)) this.forget(token);
      throw failed;
    }
  }

  private async accessToken(): Promise<string> {
    try {
      return (await this.oauth.getAccessToken()).token ?? '';
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw problem(error, 'token');
    }
  }

  /** Unless somebody else has got another one meanwhile. */
  private forget(token: string): void {
    this.refused(token);
    const { access_token, refresh_token } = this.oauth.credentials;
    if (access_token === token) this.oauth.setCredentials({ refresh_token });
  }
}

function isStale(error: unknown): boolean {
  return error instanceof DriveProblemError && error.failure.status === 401 && error.failure.oauth !== true;
}

const STREAM = { responseType: 'stream' } as const;

/** A transfer that breaks off half-way is a failure of Drive's, too. */
async function* guarded(content: Content, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw problem(error, name);
  }
}
