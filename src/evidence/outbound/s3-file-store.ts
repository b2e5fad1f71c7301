// Outbound adapter. Files in a bucket of an S3-compatible store. A stream of unknown length goes there in parts, so that
// one part is in memory and no more; what fits into one is put at once.
import { createHash } from 'node:crypto';
import type { S3mini, UploadPart } from 's3mini';
import { FileTooLargeError, StoreUnavailableError } from '../domain/errors';
import type { StoredContent } from '../domain/evidence';
import type { FileStore } from '../ports/file-store';

export interface S3Settings {
  /** With the bucket as its path, or as the first part of its name. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** At least 5 MiB: smaller parts are refused by S3. */
  readonly partBytes?: number;
}

const PART_BYTES = 8 * 1_048_576;

export class S3FileStore implements FileStore {
  private opened: S3mini | undefined;
  private readonly partBytes: number;

  /** The client is loaded when it is first needed: most houses keep their files in a folder. */
  constructor(
    private readonly settings: S3Settings,
    private readonly load: () => Promise<typeof import('s3mini')> = () => import('s3mini'),
  ) {
    this.partBytes = settings.partBytes ?? PART_BYTES;
  }

  async write(key: string, content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredContent> {
    const hash = createHash('sha256');
    const upload = new PartedUpload(await this.client(), key);
    let sizeBytes = 0;
    try {
      const parts = this.parts(counted(content));
      let held: Buffer | undefined;
      for await (const part of parts) {
        // The last one is held back: if it is the only one, no upload in parts is begun for it.
        if (held !== undefined) await this.reachable(() => upload.send(held as Buffer));
        held = part;
      }
      await this.reachable(() => upload.finish(held ?? Buffer.alloc(0)));
    } catch (error) {
      await upload.abort().catch(() => undefined);
      throw error;
    }
    return { storageKey: key, sizeBytes, sha256: hash.digest('hex') };

    async function* counted(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
      for await (const piece of pieces) {
        sizeBytes += piece.byteLength;
        if (sizeBytes > maxBytes) throw new FileTooLargeError(maxBytes);
        hash.update(piece);
        yield piece;
      }
    }
  }

  async read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    const client = await this.client();
    const answer = await this.reachable(() => client.getObjectResponse(key));
    return (answer?.body as AsyncIterable<Uint8Array> | null | undefined) ?? (answer === null ? null : nothing());
  }

  async remove(key: string): Promise<void> {
    const client = await this.client();
    await this.reachable(() => client.deleteObject(key));
  }

  async check(): Promise<void> {
    const client = await this.client();
    // Asks for something that is not there: an answer, whatever it is, came with our signature accepted.
    await this.reachable(() => client.objectExists('horarium-health'));
  }

  private async *parts(content: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
    let pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of content) {
      for (let rest = piece; rest.byteLength > 0;) {
        const taken = rest.subarray(0, this.partBytes - size);
        pieces.push(taken);
        size += taken.byteLength;
        rest = rest.subarray(taken.byteLength);
        if (size < this.partBytes) continue;
        yield Buffer.concat(pieces);
        pieces = [];
        size = 0;
      }
    }
    if (size > 0) yield Buffer.concat(pieces);
  }

  private async client(): Promise<S3mini> {
    if (this.opened === undefined) {
      const { S3mini } = await this.load();
      this.opened = new S3mini(this.settings);
    }
    return this.opened;
  }

  private async reachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // Built from what is known to be harmless: the client's own words may carry addresses and signatures.
      const { status, serviceCode, code } = error as { status?: number; serviceCode?: string; code?: string };
      const reason = status === undefined ? (code ?? 'no answer') : `it answers ${status} ${serviceCode ?? ''}`.trim();
      throw new StoreUnavailableError(reason);
    }
  }
}

/** One object on its way: whole at once, or part by part. */
class PartedUpload {
  private id: string | undefined;
  private readonly sent: UploadPart[] = [];

  constructor(
    private readonly client: S3mini,
    private readonly key: string,
  ) {}

  async send(part: Buffer): Promise<void> {
    this.id ??= await this.client.getMultipartUploadId(this.key);
    this.sent.push(await this.client.uploadPart(this.key, this.id, part, this.sent.length + 1));
  }

  async finish(last: Buffer): Promise<void> {
    if (this.id === undefined) {
      await this.client.putObject(this.key, last);
      return;
    }
    await this.send(last);
    await this.client.completeMultipartUpload(this.key, this.id, this.sent);
  }

  async abort(): Promise<void> {
    if (this.id !== undefined) await this.client.abortMultipartUpload(this.key, this.id);
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}
