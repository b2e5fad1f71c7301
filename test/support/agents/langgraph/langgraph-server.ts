// Test support. The real LangGraph server as a process that can be killed and started again over what it has kept.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the agent was given, as its graph sees it. */
export interface AtWork {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
}

type Message = { readonly host: string } | ({ readonly atWork: string } & AtWork);

const PROGRAM = join(__dirname, 'server.mjs');

export class LangGraphServer {
  private process: ChildProcess | undefined;
  private port = 0;
  private readonly working = new Map<
    string,
    { readonly at: Promise<AtWork>; readonly begin: (seen: AtWork) => void }
  >();

  private constructor(private readonly folder: string) {}

  static async start(): Promise<LangGraphServer> {
    const server = new LangGraphServer(await mkdtemp(join(tmpdir(), 'horarium-langgraph-')));
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Under the address that it had before. */
  async start(): Promise<void> {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, LANGSMITH_TRACING: 'false', LOG_LEVEL: 'error' };
    const child = fork(PROGRAM, [String(this.port), this.folder], {
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.process = child;
    const up = new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the LangGraph server did not start (exit ${code})`)));
      child.on('message', (message: Message) => {
        if ('host' in message) resolve(message.host);
        else this.workOf(message.atWork).begin(message);
      });
    });
    this.port = Number((await up).split(':').at(-1));
  }

  /** As a machine that loses its power. */
  async kill(): Promise<void> {
    const { process: child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** And what it has kept is gone. */
  async lose(): Promise<void> {
    await this.kill();
    await rm(join(this.folder, '.langgraph_api'), { recursive: true, force: true });
  }

  /** Stopped in order: everything is kept. */
  async stop(): Promise<void> {
    const { process: child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.send('stop');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  atWork(requestId: string): Promise<AtWork> {
    return this.workOf(requestId).at;
  }

  private workOf(requestId: string) {
    const known = this.working.get(requestId);
    if (known !== undefined) return known;
    let begin: (seen: AtWork) => void = () => undefined;
    const at = new Promise<AtWork>((resolve) => (begin = resolve));
    const work = { at, begin };
    this.working.set(requestId, work);
    return work;
  }
}
