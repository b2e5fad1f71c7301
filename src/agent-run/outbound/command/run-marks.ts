// Outbound, command driver. Which process serves which request, in files: what a dead process has started can still
// be found, and ended. A pid alone would not do: the system gives it to somebody else soon.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunMark {
  readonly requestId: string;
  readonly pid: number;
  /** When the process was started, in the system's own words; with the pid it names one process for ever. */
  readonly startMark: string;
}

export class RunMarks {
  private constructor(private readonly folder: string) {}

  static async open(folder: string): Promise<RunMarks> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new RunMarks(folder);
  }

  /** False when the process was over before it could be marked. */
  async put(requestId: string, pid: number): Promise<boolean> {
    const startMark = await startMarkOf(pid);
    if (startMark === undefined) return false;
    const mark: RunMark = { requestId, pid, startMark };
    await writeFile(this.file(requestId), JSON.stringify(mark), { mode: 0o600 });
    return true;
  }

  async remove(requestId: string): Promise<void> {
    await rm(this.file(requestId), { force: true });
  }

  /** The process that still serves this request. */
  async livePid(requestId: string): Promise<number | undefined> {
    const text = await readFile(this.file(requestId), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      const mark = JSON.parse(text) as RunMark;
      return mark.requestId === requestId && (await startMarkOf(mark.pid)) === mark.startMark ? mark.pid : undefined;
    } catch {
      // Half a file: the machine went down while it was written, and with it the process.
      return undefined;
    }
  }

  private file(requestId: string): string {
    return join(this.folder, `${createHash('sha256').update(requestId).digest('hex').slice(0, 32)}.json`);
  }
}

async function startMarkOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The second field is the program's name in brackets and may hold blanks; field 22 is the start in clock ticks.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields?.[0] === 'Z' ? undefined : fields?.[19];
  }
  const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  return listed?.stdout.trim() || undefined;
}
