// Outbound, command driver. What is left of each run in files, in case this process is killed: which process serves which
// request, and how it ended. A pid alone would not do: the system gives it to somebody else soon. Who writes them is the
// witness (witness.ts), from before the program starts until after it has ended.
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, ownIdentity, startIn } from '../../../platform/host/processes';

/** The first line of a trace; the witness adds its process id, the words that tell its start, and the exit code. */
interface Heading {
  readonly requestId: string;
  readonly boot: string;
  readonly namespace: string;
}

export interface Trace {
  readonly requestId: string;
  /** The leader of the group, as long as it lives; undefined: it is gone, or never was. */
  readonly livePid: number | undefined;
  /** As a shell tells it: 128 and more is a signal. Null: nobody saw the end. */
  readonly exitCode: number | null;
}

export class RunTraces {
  private readonly heading: Omit<Heading, 'requestId'>;

  private constructor(
    private readonly folder: string,
    /** Whose files are believed; undefined: whoever's they are. */
    private readonly owner?: number,
  ) {
    const { boot, namespace } = ownIdentity();
    this.heading = { boot, namespace };
  }

  static async open(folder: string): Promise<RunTraces> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new RunTraces(folder);
  }

  /** Of another process of this machine, to read. Only what this very user has written is believed: it names whom to end. */
  static beside(folder: string): RunTraces {
    return new RunTraces(folder, process.getuid?.());
  }

  /** For the witness to write to. Undefined where nothing can be written (a full disk): the run goes on without. */
  async begin(requestId: string): Promise<FileHandle | undefined> {
    let file: FileHandle | undefined;
    try {
      file = await open(this.file(requestId), 'w', 0o600);
      const heading: Heading = { requestId, ...this.heading };
      await file.write(`${JSON.stringify(heading)}\n`);
      return file;
    } catch {
      await file?.close().catch(() => undefined);
      return undefined;
    }
  }

  async remove(requestId: string): Promise<void> {
    await rm(this.file(requestId), { force: true });
  }

  async read(requestId: string): Promise<Trace | undefined> {
    const trace = await this.readFile(this.file(requestId));
    return trace?.requestId === requestId ? trace : undefined;
  }

  /** All that there are, also those of runs at work in this process. */
  async all(): Promise<Trace[]> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(ENDING));
    const traces = await Promise.all(names.map((name) => this.readFile(join(this.folder, name))));
    return traces.filter((trace) => trace !== undefined);
  }

  private async readFile(file: string): Promise<Trace | undefined> {
    const text = await this.textOf(file).catch(() => undefined);
    const [first = '', pid = '', started = '', code = ''] = text?.split('\n') ?? [];
    try {
      const { requestId, boot, namespace } = JSON.parse(first) as Heading;
      const identity = { pid: Number(pid), started: startIn(started) ?? '', boot, namespace };
      const lives = identity.pid > 1 && identity.started !== '' && isRunning(identity) === true;
      const exitCode = /^\d+$/.test(code) ? Number(code) : null;
      return { requestId, livePid: lives ? identity.pid : undefined, exitCode };
    } catch {
      // Half a file: the machine went down while it was written, and with it the process.
      return undefined;
    }
  }

  private async textOf(path: string): Promise<string | undefined> {
    const file = await open(path, 'r');
    try {
      const believed = this.owner === undefined || (await file.stat()).uid === this.owner;
      return believed ? await file.readFile('utf8') : undefined;
    } finally {
      await file.close();
    }
  }

  private file(requestId: string): string {
    return join(this.folder, `${createHash('sha256').update(requestId).digest('hex').slice(0, 32)}${ENDING}`);
  }
}

const ENDING = '.trace';
/** Within a data folder. */
export const TRACES_FOLDER = 'running';
