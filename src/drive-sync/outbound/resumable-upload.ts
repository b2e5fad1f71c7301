// Outbound. Large uploads in pieces, which the library does not do. A session that is lost is begun again by the queue, with
// the same id.
import type { drive_v3 } from '@googleapis/drive';
import type { Content } from '../domain/content';
import type { GoogleClient, OAuthClient } from './google-client';

export interface UploadTarget {
  readonly rootUrl: string;
  /** Of an existing file. */
  readonly id: string | undefined;
  readonly meta: drive_v3.Schema$File;
  readonly mimeType: string;
  readonly size: number;
  readonly fields: string;
}

/** A multiple of 256 KiB; what is in memory of an upload. */
const PIECE = 8 * 1024 * 1024;

export async function putResumable(
  oauth: OAuthClient,
  perCall: ReturnType<GoogleClient['perCall']>,
  { rootUrl, id, meta, mimeType, size, fields }: UploadTarget,
  content: Content,
): Promise<drive_v3.Schema$File> {
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
  let sent = 0;
  let answer: drive_v3.Schema$File | undefined;
  for await (const piece of pieces(content)) {
    const range = `bytes ${sent}-${sent + piece.length - 1}/${size}`;
    const put = await oauth.request<drive_v3.Schema$File>({
      ...perCall,
      url: session,
      method: 'PUT',
      headers: { 'Content-Range': range, 'Content-Type': mimeType },
      body: new Uint8Array(piece),
      // 308 is "go on" here, not a redirection.
      validateStatus: (status) => status === 308 || (status >= 200 && status < 300),
    });
    sent += piece.length;
    if (put.status !== 308) answer = put.data;
  }
  if (answer === undefined) throw Object.assign(new Error('the upload did not end'), { status: 502 });
  return answer;
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
