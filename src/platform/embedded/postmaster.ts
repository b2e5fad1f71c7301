// Platform, embedded database. One life of the server process, from its start to its exit. Starting it again is
// the supervisor's business (embedded-postgres.ts).
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostUser } from '../host/users';
import { EmbeddedDatabaseError } from './errors';
import { startProgram } from './program';

export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines that it wrote. */
  readonly log: string;
}

export interface PostmasterSettings {
  readonly program: string;
  readonly args: readonly string[];
  readonly user: HostUser | undefined;
  readonly onLog: (line: string) => void;
}

// Written once connections are accepted: at the start, and after each recovery from a crashed backend.
const READY = 'database system is ready to accept connections';
const LINES_KEPT = 40;
/** Recovery after a crash reads at most max_wal_size; this is for a disk that hangs. */
const LONGEST_START_MS = 120_000;

export class Postmaster {
  /** Resolves when the server process has ended. Its backends may live a moment longer: see `pipeClosed`. */
  readonly exited: Promise<PostmasterExit>;
  /** Resolves when the last process that held the server's log has ended, backends included. */
  readonly pipeClosed: Promise<void>;
  private readonly lines: string[] = [];
  private readonly ready: Promise<void>;
  // A house that ends without stopping its database (an error nobody caught, a second Ctrl-C) does not leave it behind,
  // nor one that is only just starting.
  private readonly atExit = (): void => this.signal('SIGINT');

  private constructor(
    private readonly child: ChildProcess,
    onLog: (line: string) => void,
  ) {
    this.pipeClosed = new Promise((resolve) => child.once('close', () => resolve()));
    process.once('exit', this.atExit);
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        process.off('exit', this.atExit);
        resolve({ code, signal, log: this.lines.join('\n') });
      });
    });
    this.ready = new Promise((resolve) => {
      const log = createInterface({ input: child.stderr! });
      log.on('line', (line) => {
        this.lines.push(line);
        if (this.lines.length > LINES_KEPT) this.lines.shift();
        if (line.includes(READY)) resolve();
        onLog(line);
      });
    });
  }

  /** Starts the server and waits until it accepts connections. Throws with its last words when it does not. */
  static async launch({ program, args, user, onLog }: PostmasterSettings): Promise<Postmaster> {
    const postmaster = new Postmaster(await startProgram(program, args, user), onLog);
    const timeout = new AbortController();
    const outcome = await Promise.race([
      postmaster.ready.then(() => 'ready' as const),
      // With the pipe closed every last line has been read.
      postmaster.exited.then(() => postmaster.pipeClosed).then(() => 'exited' as const),
      delay(LONGEST_START_MS, 'slow' as const, { signal: timeout.signal }),
    ]);
    timeout.abort();
    if (outcome === 'ready') return postmaster;
    if (outcome === 'slow') await postmaster.stop(0);
    const why = outcome === 'slow' ? `was not ready after ${LONGEST_START_MS / 1_000} s` : 'ended while starting';
    throw new EmbeddedDatabaseError(`PostgreSQL ${why}:\n${postmaster.lines.join('\n')}`);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /**
   * Ends the server: SIGINT, its fast stop, which disconnects clients and writes a checkpoint (SIGTERM would wait
   * for every client); after the grace SIGQUIT, its emergency stop, which the next start recovers from.
   */
  async stop(graceMs: number): Promise<void> {
    this.signal(graceMs > 0 ? 'SIGINT' : 'SIGQUIT');
    const timer = setTimeout(() => this.signal('SIGQUIT'), graceMs);
    await this.exited;
    clearTimeout(timer);
    await this.pipeClosed;
  }

  signal(signal: NodeJS.Signals): void {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
  }

  /** Waits until no process of the server is left, at most `ms`. Whether that came true. */
  async settled(ms: number): Promise<boolean> {
    const timeout = new AbortController();
    const gone = await Promise.race([
      this.pipeClosed.then(() => true),
      delay(ms, false, { signal: timeout.signal }).catch(() => false),
    ]);
    timeout.abort();
    return gone;
  }
}
