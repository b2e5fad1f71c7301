// Outbound adapter, fills LiveOutput with a file for each run that says anything: one JSON text a line. Every process that
// shares the data folder can read it, at its own pace and with a bounded amount in memory.
import { mkdir, open, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { LiveOutput, OutputReader, SaidPiece } from '../ports/live-output';

/** Within a data folder. */
export const OUTPUT_FOLDER = 'output';
const READ_BYTES = 64 * 1024;
const STALE_MS = 7 * 24 * 3_600_000;
const END = '{"end":true}\n';

interface Writer {
  readonly decoders: Record<SaidPiece['stream'], StringDecoder>;
  pending: string;
  writing: Promise<void>;
  idle: boolean;
  file?: FileHandle;
}

export class FileLiveOutput implements LiveOutput {
  private readonly writers = new Map<string, Writer>();
  private readonly news = new EventEmitter().setMaxListeners(0);

  private constructor(private readonly folder: string) {}

  static async open(folder: string, now: Date): Promise<FileLiveOutput> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Of processes that died in the middle.
    for (const name of await readdir(folder)) {
      const at = (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? Infinity;
      if (at < now.getTime() - STALE_MS) await rm(join(folder, name), { force: true });
    }
    return new FileLiveOutput(folder);
  }

  said(agentRunId: string, stream: SaidPiece['stream'], chunk: Uint8Array | string): void {
    const writer = this.writers.get(agentRunId) ?? newWriter();
    this.writers.set(agentRunId, writer);
    const text = typeof chunk === 'string' ? chunk : writer.decoders[stream].write(Buffer.from(chunk));
    if (text === '') return;
    writer.pending += `${JSON.stringify({ stream, text })}\n`;
    if (!writer.idle) return;
    writer.idle = false;
    writer.writing = this.write(agentRunId, writer);
  }

  async finish(agentRunId: string): Promise<void> {
    const writer = this.writers.get(agentRunId);
    if (writer === undefined) return;
    await writer.writing;
    writer.pending += END;
    await this.write(agentRunId, writer);
    this.writers.delete(agentRunId);
    // Who has it open reads on; who comes later reads the run itself.
    await rm(this.path(agentRunId), { force: true });
    await writer.file?.close();
  }

  read(agentRunId: string, position: number, dataFolder?: string): OutputReader {
    const folder = dataFolder === undefined ? this.folder : join(dataFolder, OUTPUT_FOLDER);
    return new FileReader(this.path(agentRunId, folder), position, agentRunId, this.news);
  }

  /** One write at a time: what comes meanwhile goes together. A disk that is full costs the watchers, and nobody else. */
  private async write(agentRunId: string, writer: Writer): Promise<void> {
    try {
      while (writer.pending !== '') {
        const text = writer.pending;
        writer.pending = '';
        writer.file ??= await open(this.path(agentRunId), 'a', 0o600);
        await writer.file.appendFile(text);
        this.news.emit(agentRunId);
      }
    } catch {
      writer.pending = '';
    } finally {
      writer.idle = true;
    }
  }

  private path(agentRunId: string, folder = this.folder): string {
    return join(folder, `${agentRunId.replaceAll(/[^\w-]/g, '_')}.jsonl`);
  }
}

function newWriter(): Writer {
  const decoders = { output: new StringDecoder('utf8'), error_output: new StringDecoder('utf8') };
  return { decoders, pending: '', writing: Promise.resolve(), idle: true };
}

class FileReader implements OutputReader {
  complete = false;
  private file: FileHandle | undefined;
  /** Begun lines: a piece is as long as what an agent writes at once. */
  private rest = Buffer.alloc(0);

  constructor(
    private readonly path: string,
    private position: number,
    private readonly agentRunId: string,
    private readonly news: EventEmitter,
  ) {}

  async next(): Promise<readonly SaidPiece[]> {
    if (this.complete) return [];
    this.file ??= await open(this.path, 'r').catch(() => undefined);
    if (this.file === undefined) return [];
    const buffer = Buffer.alloc(READ_BYTES);
    for (;;) {
      const { bytesRead } = await this.file.read(buffer, 0, READ_BYTES, this.position + this.rest.length);
      if (bytesRead === 0) return [];
      this.rest = Buffer.concat([this.rest, buffer.subarray(0, bytesRead)]);
      const pieces = this.whole();
      if (pieces.length > 0 || this.complete) return pieces;
    }
  }

  change(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.news.off(this.agentRunId, done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.news.once(this.agentRunId, done);
    });
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  private whole(): SaidPiece[] {
    const pieces: SaidPiece[] = [];
    let from = 0;
    for (let to = this.rest.indexOf(10, from); to >= 0; to = this.rest.indexOf(10, from)) {
      const line = this.rest.toString('utf8', from, to);
      this.position += to + 1 - from;
      from = to + 1;
      const piece = lineOf(line);
      if (piece === 'end') this.complete = true;
      else if (piece !== null) pieces.push({ ...piece, position: this.position });
    }
    this.rest = this.rest.subarray(from);
    return pieces;
  }
}

/** Whoever asks to go on somewhere may name a place in the middle of a line. */
function lineOf(line: string): Omit<SaidPiece, 'position'> | 'end' | null {
  try {
    const said = JSON.parse(line) as Partial<SaidPiece> & { end?: boolean };
    if (said.end === true) return 'end';
    return said.stream === undefined || said.text === undefined ? null : { stream: said.stream, text: said.text };
  } catch {
    return null;
  }
}
