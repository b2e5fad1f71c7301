// Outbound adapter. A run is a process of this machine, for hosts without a container engine: a process group of its own,
// bounded memory, time and files, no settings of ours in its environment. It is not isolated, and health says so.
//
// Beside `out` lie two files of ours: `process` says which process it is, `exit` how it ended. A small shell writes the
// latter, so that the end is known also when we were not there to see it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RunnerFailedError } from '../domain/errors';
import type { RunnerEnd } from '../domain/run-outcome';
import type { ClassifierRunner, RunnerHealth, RunnerJob, RunnerState, RunnerTrace } from '../ports/classifier-runner';

export interface ProcessSettings {
  /** Where the folders of runs are. */
  readonly root: string;
  /** Program and arguments; `/in` and `/out` are told in its environment. */
  readonly command: readonly string[];
  readonly cpuSeconds: number;
  /** Of what a process of it may write to. Reserved addresses do not count. */
  readonly memoryMib: number;
  readonly beatMs?: number;
  readonly stopGraceMs?: number;
}

interface Mark {
  readonly pid: number;
  /** Tells a process from a later one of the same number. */
  readonly born: string;
}

const PRLIMIT = '/usr/bin/prlimit';
const LONGEST_OUTPUT = 65_536;
// Its own end comes after the program's, whoever is told to stop, so that the exit status is always written.
const SHELL = `trap : TERM INT HUP; "$@" </dev/null >"$OUTPUT" 2>&1 & child=$!
while :; do wait $child; code=$?; kill -0 $child 2>/dev/null || break; done
echo $code >"$EXIT.new"; mv "$EXIT.new" "$EXIT"`;

export class ProcessRunner implements ClassifierRunner {
  private readonly root: string;

  constructor(private readonly settings: ProcessSettings) {
    this.root = resolve(settings.root);
  }

  nameFor(): Promise<string> {
    return Promise.resolve('process');
  }

  async start({ runId, folders }: RunnerJob): Promise<void> {
    const folder = dirname(folders.out);
    const mark = await open(join(folder, 'process'), 'wx').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw new RunnerFailedError('start_failed', 'The folder of the run cannot be written to.', error);
    });
    if (mark === undefined) return;
    try {
      const child = spawn('/bin/sh', ['-c', SHELL, runId, ...this.limited()], {
        cwd: folders.out,
        detached: true,
        stdio: 'ignore',
        env: {
          PATH: '/usr/local/bin:/usr/bin:/bin',
          LANG: 'C.UTF-8',
          HORARIUM_IN: folders.in,
          HORARIUM_OUT: folders.out,
          OUTPUT: join(folder, 'output'),
          EXIT: join(folder, 'exit'),
        },
      });
      await new Promise<void>((begun, failed) => child.once('spawn', begun).once('error', failed));
      child.unref();
      const pid = child.pid ?? 0;
      await mark.writeFile(JSON.stringify({ pid, born: await birth(pid) }));
    } catch (error) {
      throw new RunnerFailedError(
        'start_failed',
        `The classifier cannot be started: ${(error as Error).message}`,
        error,
      );
    } finally {
      await mark.close();
    }
  }

  async state(runId: string): Promise<RunnerState> {
    const mark = await this.mark(runId);
    if (mark === undefined) return 'absent';
    return (await alive(mark)) ? 'running' : 'exited';
  }

  async observe(runId: string, beat: () => Promise<void>): Promise<RunnerEnd> {
    for (;;) {
      const mark = await this.mark(runId);
      if (mark === undefined || !(await alive(mark))) return this.endOf(runId);
      await beat();
      await new Promise((again) => setTimeout(again, this.settings.beatMs ?? 500));
    }
  }

  async stop(runId: string): Promise<void> {
    const mark = await this.mark(runId);
    if (mark === undefined || !(await alive(mark))) return;
    signal(mark, 'SIGTERM');
    const { stopGraceMs = 10_000 } = this.settings;
    for (let waited = 0; waited < stopGraceMs; waited += 100) {
      if (!(await alive(mark))) return;
      await new Promise((again) => setTimeout(again, 100));
    }
    signal(mark, 'SIGKILL');
  }

  async remove(runId: string): Promise<void> {
    const mark = await this.mark(runId);
    if (mark !== undefined && (await alive(mark))) signal(mark, 'SIGKILL');
  }

  async traces(): Promise<RunnerTrace[]> {
    const names = await readdir(this.root).catch(() => []);
    const found = names.map(async (runId) => {
      const mark = await stat(join(this.root, runId, 'process')).catch(() => undefined);
      return mark === undefined ? [] : [{ runId, startedAt: mark.mtime }];
    });
    return (await Promise.all(found)).flat();
  }

  check(): Promise<RunnerHealth> {
    return Promise.resolve({ ok: true, message: 'no isolation', figures: { isolation: false } });
  }

  private limited(): string[] {
    const { command, cpuSeconds, memoryMib } = this.settings;
    if (!existsSync(PRLIMIT)) return [...command];
    const [data, written] = [memoryMib * 1_048_576, 128 * 1_048_576];
    const limits = [`--cpu=${cpuSeconds}`, `--data=${data}`, `--fsize=${written}`, '--nofile=512', '--core=0'];
    return [PRLIMIT, ...limits, '--', ...command];
  }

  private async endOf(runId: string): Promise<RunnerEnd> {
    const code = await readFile(join(this.root, runId, 'exit'), 'utf8').catch(() => '');
    const output = await tail(join(this.root, runId, 'output'));
    return { exitCode: /^\d+\n$/.test(code) ? Number(code) : null, outOfMemory: false, output };
  }

  private async mark(runId: string): Promise<Mark | undefined> {
    const text = await readFile(join(this.root, runId, 'process'), 'utf8').catch(() => undefined);
    if (text === undefined || text === '') return undefined;
    return JSON.parse(text) as Mark;
  }
}

async function alive({ pid, born }: Mark): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return (await birth(pid)) === born;
}

/** When it began, in the kernel's ticks; a dead one that nobody has waited for counts as gone. */
async function birth(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (status === undefined) return 'unknown';
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? 'gone' : (fields[19] ?? 'unknown');
}

function signal({ pid }: Mark, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // Gone already.
  }
}

async function tail(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, LONGEST_OUTPUT);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}
