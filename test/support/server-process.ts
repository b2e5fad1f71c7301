// Test support. The server (src/main.ts) and the command line (src/cli.ts) as processes of their own, with the folder of a
// newcomer and an environment that holds nothing but what the test says.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const COMPILER = join(ROOT, 'scripts', 'swc-register.cjs');
const COMMAND_LINE = `require(${JSON.stringify(join(ROOT, 'src', 'cli.ts'))}).runCli(process.argv.slice(1))`;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ServerProcess>();

export class ServerProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<ProcessEnd>;
  private readonly child: ChildProcess;
  private notice: () => void = () => undefined;

  private constructor(args: readonly string[], { cwd, env = {} }: Surroundings) {
    const { PATH = '', HOME = '/' } = process.env;
    this.child = spawn(process.execPath, ['-r', COMPILER, ...args], {
      cwd,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.notice();
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.notice();
    });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        running.delete(this);
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
    running.add(this);
  }

  /** Begins a start, and does not wait for its success. */
  static begin(surroundings: Surroundings): ServerProcess {
    return new ServerProcess([join(ROOT, 'src', 'main.ts')], surroundings);
  }

  /** Started, and ready for its first request. */
  static async ready(surroundings: Surroundings): Promise<ServerProcess> {
    const server = ServerProcess.begin(surroundings);
    await server.says(/Three things to try:[\s\S]*\n\n$/);
    return server;
  }

  /** `horarium …` with these words. */
  static cli(words: readonly string[], surroundings: Surroundings): Promise<ProcessEnd> {
    return ServerProcess.program(words, surroundings).ended;
  }

  /** The same, for one that goes on until it is ended. */
  static program(words: readonly string[], surroundings: Surroundings): ServerProcess {
    return new ServerProcess(['-e', COMMAND_LINE, '--', ...words], surroundings);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Its address, as it says. */
  get url(): string {
    return /Address {6}(\S+)/.exec(this.stdout)![1]!;
  }

  /** Waits for a text on standard output. Rejects when the process ends without it. */
  async says(pattern: RegExp, on: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    const said = new Promise<RegExpExecArray>((resolve) => {
      this.notice = () => {
        const found = pattern.exec(this[on]);
        if (found !== null) resolve(found);
      };
      this.notice();
    });
    const gone = this.ended.then(({ code, stdout, stderr }): never => {
      throw new Error(`It ended with ${code} before it said ${String(pattern)}:\n${stdout}\n${stderr}`);
    });
    return Promise.race([said, gone]);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    this.signal(signal);
    return this.ended;
  }

  /** For afterAll: whatever a failed test left running. */
  static async endAll(): Promise<void> {
    await Promise.all([...running].map((one) => one.end('SIGTERM')));
  }
}
