// Platform, protocol. Answers with a file that somebody uploaded: as a download, never as a page of this address.
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface FileAnswer {
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Types that no browser runs anything of. Everything else is called bytes. */
const HARMLESS =
  /^(application\/(pdf|zip|json|gzip|msword|vnd\.[a-z0-9.-]+)|image\/(png|jpeg|gif|webp|bmp|tiff)|text\/(plain|csv|markdown)|audio\/[a-z0-9.-]+|video\/[a-z0-9.-]+)$/;

export async function answerWithFile(response: Response, file: FileAnswer): Promise<void> {
  response.status(200);
  response.setHeader('Content-Type', HARMLESS.test(file.mimeType) ? file.mimeType : 'application/octet-stream');
  response.setHeader('Content-Length', file.sizeBytes);
  response.setHeader('Content-Disposition', attachment(file.name));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  response.setHeader('ETag', `"${file.sha256}"`);
  // Whoever goes away in the middle ends the reading; a reading that fails cuts the line, since the header is sent.
  await pipeline(Readable.from(file.content, { objectMode: false }), response).catch(() => response.destroy());
}

/** RFC 6266: the plain form for old clients, the encoded one for all others. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
