// Outbound, command driver. One program from its start to its end: a process group of its own, both outputs captured,
// ended as a whole. What to start is in command-line.ts, how it is fenced in isolation.ts.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { CapturedText } from '../../domain/run-end';
import type { SaidStream } from '../../ports/assistant-driver';
import { Capture } from './capture';
import type { ProgramStart } from './program-start';
import { exitOf, witnessed } from './witness';

export interface ChildLimits {
  readonly outputBytes: number;
  readonly timeoutMs: number;
  /** How long the group may take to end by itself after TERM. */
  readonly graceMs: number;
  /** How long pipes may stay open after the program is gone: a grandchild may hold them for ever. */
  readonly drainMs: number;
}

export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly output: CapturedText;
  readonly errorOutput: CapturedText;
  /** Of the output, as long as it is kept and also behind the cut. */
  readonly lastLine: string;
}

/** Hears what is kept of the outputs, as it comes. */
export type Hearing = (stream: SaidStream, chunk: Buffer) => void;

export class Child {
  readonly ended: Promise<ChildEnd>;
  private timedOut = false;
  private timeout: NodeJS.Timeout | undefined;
  private kill: NodeJS.Timeout | undefined;

  private constructor(
    private readonly process: ChildProcess & { pid: number },
    private readonly limits: ChildLimits,
    private readonly hearing: Hearing,
  ) {
    this.ended = this.untilEnd();
    this.timeout = setTimeout(() => {
      this.timedOut = true;
      this.terminate();
    }, limits.timeoutMs);
  }

  /**
   * Rejects with the operating system's error when the program could not be started.
   * @param trace where its end is written down, whatever becomes of this process
   */
  static async start(
    program: ProgramStart,
    limits: ChildLimits,
    hearing: Hearing,
    trace: number | undefined,
  ): Promise<Child> {
    const start = witnessed(program);
    const child = spawn(start.file, start.args, {
      argv0: 'sh',
      cwd: start.cwd,
      env: start.env,
      // A group of its own, led by the program: signals reach whatever it has started too.
      detached: true,
      stdio: [start.stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe', trace ?? 'ignore'],
      ...(start.uid === undefined ? {} : { uid: start.uid, gid: start.gid }),
    });
    // Listens from the first moment: a program may be over before `spawn` has been awaited.
    const running =
      child.pid === undefined ? undefined : new Child(child as ChildProcess & { pid: number }, limits, hearing);
    // A program that never reads its input closes the pipe under our hands (EPIPE): its good right.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(start.stdin);
    if (running === undefined) {
      const [error] = (await once(child, 'error')) as [Error];
      throw error;
    }
    return running;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Asks the whole group to end, and ends it when the grace is over. Asking again changes nothing. */
  terminate(): void {
    if (this.kill !== undefined) return;
    signalGroup(this.pid, 'SIGTERM');
    this.kill = setTimeout(() => signalGroup(this.pid, 'SIGKILL'), this.limits.graceMs);
  }

  private async untilEnd(): Promise<ChildEnd> {
    const output = new Capture(this.limits.outputBytes);
    const errorOutput = new Capture(this.limits.outputBytes);
    this.hear(this.process.stdout, 'output', output);
    this.hear(this.process.stderr, 'error_output', errorOutput);
    this.process.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => this.process.once('close', () => resolve()));
    const { code, signal } = await new Promise<Pick<ChildEnd, 'code' | 'signal'>>((resolve) =>
      this.process.once('exit', (code, signal) => resolve(code === null ? { code, signal } : exitOf(code))),
    );
    clearTimeout(this.timeout);
    // The run is over with its program. What it left behind in its group is asked to go, and then made to.
    signalGroup(this.pid, 'SIGTERM');
    await this.drained(closed);
    signalGroup(this.pid, 'SIGKILL');
    clearTimeout(this.kill);
    const said = { output: output.text(), errorOutput: errorOutput.text(), lastLine: output.lastLine() };
    return { code, signal, timedOut: this.timedOut, ...said };
  }

  private hear(from: Readable | null, stream: SaidStream, capture: Capture): void {
    from?.on('data', (chunk: Buffer) => {
      const kept = capture.push(chunk);
      if (kept.length > 0) this.hearing(stream, kept);
    });
  }

  /**
   * A grandchild in a session of its own keeps the pipes open and cannot be reached: it is not waited for. Whoever was
   * asked to end has the whole grace, also behind a wrapper (bubblewrap) that does not live as long as the agent.
   */
  private async drained(closed: Promise<unknown>): Promise<void> {
    const patience = this.kill === undefined ? this.limits.drainMs : this.limits.graceMs;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), patience)));
    const first = await Promise.race([closed, late]);
    clearTimeout(timer);
    if (first !== 'late') return;
    this.process.stdout?.destroy();
    this.process.stderr?.destroy();
  }
}

/** To everything in the group of `leader`. A group that is gone is fine; so is one that has become somebody else's. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
