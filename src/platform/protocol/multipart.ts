// Platform, protocol. One file and a few short fields, read as they arrive (RFC 7578): the file is never in memory, and
// never on a disk of ours before the feature says where.
import busboy from 'busboy';
import type { Request } from 'express';
import type { Readable } from 'node:stream';
import { RequestInvalidError } from './request-errors';
import { MULTIPART } from './takes-file';
import { textFaults } from './text-rules';

export interface ReceivedFile {
  readonly name: string;
  readonly mimeType: string;
  /** To be read to its end. Fails when the request is broken off, or has more in it than it may have. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ReceivedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: ReceivedFile;
}

const LIMITS = { files: 1, fields: 8, fieldSize: 4_096, fieldNameSize: 100, parts: 16, headerPairs: 20 };
/** How long the rest of a refused file is read and thrown away, so that the refusal arrives. */
const LINGER_MS = 2_000;

/**
 * Answers when the file begins: fields stand before it in the form.
 * @param known the names that fields may have
 */
export function receiveFile(request: Request, known: readonly string[]): Promise<ReceivedForm> {
  if (!request.is(MULTIPART)) {
    throw new RequestInvalidError([{ field: 'file', message: `file is required: send the body as ${MULTIPART}` }]);
  }
  const form = new Form(request, known);
  return form.begin();
}

class Form {
  private readonly fields: Record<string, string> = {};
  private fault: RequestInvalidError | undefined;
  private begun = false;

  constructor(
    private readonly request: Request,
    private readonly known: readonly string[],
  ) {}

  begin(): Promise<ReceivedForm> {
    return new Promise((resolve, reject) => {
      const parser = this.parser();
      const end = new Promise<void>((done, broken) => parser.on('close', done).on('error', broken));
      end.catch(() => undefined);
      parser.on('field', (name, value, { valueTruncated }) => this.take(name, value, valueTruncated));
      parser.on('file', (name, stream, { filename, mimeType }) => {
        if (name !== 'file') this.refuse(name, `${name} is not a known field`);
        if (this.fault !== undefined) {
          this.letGo(stream);
          return reject(this.fault);
        }
        this.begun = true;
        const content = this.content(stream, end);
        resolve({ fields: this.fields, file: { name: filename ?? '', mimeType, content } });
      });
      parser.on('error', (error) => reject(malformed(error)));
      parser.on('close', () => {
        if (this.begun) return;
        if (this.fault === undefined) this.refuse('file', 'file is required: the form has none');
        if (this.fault !== undefined) reject(this.fault);
      });
      this.request.on('close', () => {
        if (!this.request.complete) parser.destroy(new Error('the request was broken off'));
      });
      this.request.pipe(parser);
    });
  }

  private parser(): busboy.Busboy {
    try {
      return busboy({ headers: this.request.headers, limits: LIMITS, defParamCharset: 'utf8' });
    } catch (error) {
      throw malformed(error);
    }
  }

  private async *content(stream: Readable, end: Promise<void>): AsyncIterable<Uint8Array> {
    try {
      for await (const piece of stream) yield piece as Uint8Array;
      await end;
      if (this.fault !== undefined) throw this.fault;
    } catch (error) {
      throw error instanceof RequestInvalidError ? error : malformed(error);
    } finally {
      this.letGo(stream);
    }
  }

  private take(name: string, value: string, truncated: boolean): void {
    const [text] = textFaults({ [name]: value }, '');
    if (text !== undefined) return this.refuse(text.field, text.message);
    if (!this.known.includes(name)) return this.refuse(name, `${name} is not a known field`);
    if (this.begun) return this.refuse(name, `${name} must stand before the file`);
    if (truncated) return this.refuse(name, `${name} is longer than ${LIMITS.fieldSize} bytes`);
    this.fields[name] = value;
  }

  private refuse(field: string, message: string): void {
    this.fault ??= new RequestInvalidError([{ field, message }]);
  }

  /** Whoever reads no further: what still comes is thrown away for a while, then the line is cut. */
  private letGo(stream: Readable): void {
    if (this.request.complete) return;
    this.request.unpipe();
    stream.on('error', () => undefined).resume();
    this.request.resume();
    this.request.res?.setHeader('Connection', 'close');
    const cut = setTimeout(() => this.request.destroy(), LINGER_MS);
    cut.unref();
    this.request.on('close', () => clearTimeout(cut));
  }
}

function malformed(cause: unknown): RequestInvalidError {
  const reason = cause instanceof Error ? cause.message : 'no form';
  return new RequestInvalidError([{ field: 'file', message: `The form cannot be read: ${reason}` }]);
}
