// Outbound. Large uploads in pieces, which the library does not do. A piece whose answer is lost, or that Drive took in part,
// goes on from what Drive says that it has. A session that is lost is begun again by the queue, with the same id.
import type { drive_v3 } from '@googleapis/drive';
import type { Content } from '../domain/content';
import { DriveProblemError } from '../domain/drive-problem';
import { failureOf, type GoogleClient, type OAuthClient } from './google-client';

export interface UploadTarget {
  readonly rootUrl: string;
  /** Of an existing file. */
  readonly id: string | undefined;
  readonly meta: drive_v3.Schema$File;
  readonly mimeType: string;
  readonly size: number;
  readonly fields: string;
}

type PerCall = ReturnType<GoogleClient['perCall']>;

/** Where it is: so many bytes are there, or all of them and this is the file. */
type Progress = { readonly received: number } | { readonly file: drive_v3.Schema$File };

/** A multiple of 256 KiB; what is in memory of an upload. */
const PIECE = 8 * 1024 * 1024;
/** Failures in a row without a byte of progress. */
const PATIENCE = 4;

export async function putResumable(
  oauth: OAuthClient,
  perCall: PerCall,
  target: UploadTarget,
  content: Content,
): Promise<drive_v3.Schema$File> {
  const session = new Session(oauth, perCall, await begin(oauth, perCall, target), target);
  for await (const piece of pieces(content)) {
    const file = await session.send(piece);
    if (file !== undefined) return file;
  }
  throw Object.assign(new Error('the upload did not end'), { status: 502 });
}

async function begin(oauth: OAuthClient, perCall: PerCall, target: UploadTarget): Promise<string> {
  const { rootUrl, id, meta, mimeType, size, fields } = target;
  const path = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  const begun = await oauth.request<unknown>({
    ...perCall,
    url: `${rootUrl}upload/drive/v3/files${path}`,
    method: id === undefined ? 'POST' : 'PATCH',
    params: { uploadType: 'resumable', supportsAllDrives: true, fields },
    headers: { 'X-Upload-Content-Type': mimeType, 'X-Upload-Content-Length': String(size) },
    data: meta,
  });
  const session = begun.headers.get('location');
  if (session === null) throw Object.assign(new Error('no upload session'), { status: 502 });
  return session;
}

class Session {
  private sent = 0;

  constructor(
    private readonly oauth: OAuthClient,
    private readonly perCall: PerCall,
    private readonly url: string,
    private readonly target: UploadTarget,
  ) {}

  /** Until Drive has all of it. Answers the file when it is complete. */
  async send(piece: Buffer): Promise<drive_v3.Schema$File | undefined> {
    const from = this.sent;
    const end = from + piece.length;
    let failures = 0;
    // After a failure nobody here knows how much has arrived: Drive is asked before more is sent.
    let unsure = false;
    while (this.sent < end) {
      try {
        const progress = await (unsure ? this.ask() : this.once(piece.subarray(this.sent - from)));
        if ('file' in progress) return progress.file;
        const { received } = progress;
        if (received < from || received > end) throw lost();
        if (received > this.sent) failures = 0;
        else if (!unsure && ++failures > PATIENCE) throw lost();
        unsure = false;
        this.sent = received;
      } catch (error) {
        if (error instanceof DriveProblemError || !passes(error) || ++failures > PATIENCE) throw sessionError(error);
        unsure = true;
      }
    }
    return undefined;
  }

  private once(part: Buffer): Promise<Progress> {
    const range = `bytes ${this.sent}-${this.sent + part.length - 1}/${this.target.size}`;
    return this.put(range, new Uint8Array(part));
  }

  /** How much is there? */
  private ask(): Promise<Progress> {
    return this.put(`bytes */${this.target.size}`, new Uint8Array(0));
  }

  /** Past the library: the error that it makes of a failed call copies the body, byte by byte, for seconds. */
  private async put(range: string, body: Uint8Array<ArrayBuffer>): Promise<Progress> {
    const { fetchImplementation, timeout } = this.perCall;
    const { token } = await this.oauth.getAccessToken();
    const answer = await fetchImplementation(this.url, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Range': range, 'Content-Type': this.target.mimeType },
      body,
      // 308 is "go on" here, not a redirection.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    const { status, headers } = answer;
    const text = await answer.text();
    if (status === 308) {
      const last = /-(\d+)$/.exec(headers.get('range') ?? '')?.[1];
      return { received: last === undefined ? 0 : Number(last) + 1 };
    }
    if (status < 200 || status > 299) {
      throw Object.assign(new Error('a piece was refused'), { response: { status, headers, data: text } });
    }
    return { file: JSON.parse(text) as drive_v3.Schema$File };
  }
}

/** Of the line or of a server: the session is still there. */
function passes(error: unknown): boolean {
  const { status } = failureOf(error);
  return status === undefined || status >= 500;
}

/** "Not found" is about the session here, never about the file. */
function sessionError(error: unknown): unknown {
  const { status } = failureOf(error);
  return status === 404 || status === 410 ? lost() : error;
}

function lost(): Error {
  return new DriveProblemError({ status: 503, reason: 'uploadSessionLost' }, 'resumable upload');
}

async function* pieces(content: Content): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    length += chunk.length;
    while (length >= PIECE) {
      const all = Buffer.concat(waiting);
      yield all.subarray(0, PIECE);
      waiting = [all.subarray(PIECE)];
      length = all.length - PIECE;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}
