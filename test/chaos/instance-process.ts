// Chaos harness. One Horarium process: started, killed, stopped, resumed, always on the same data folder and through a
// line of its own to the database.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseProxy } from '../support/database-proxy';

const ROOT = join(__dirname, '..', '..');
const BUILT = join(ROOT, 'dist', 'main.js');
const LINES_OF_AN_END = 40;
const READY_WITHIN_MS = 180_000;
const SECRET = 'a secret of the chaos harness, longer than thirty-two characters';

export interface InstanceSettings {
  readonly name: string;
  readonly folder: string;
  readonly proxy: DatabaseProxy;
  /** As the login role, and as the owner past the proxy. */
  readonly url: string;
  readonly ownerUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clockOffset: boolean;
}

/** From when to when something was done to an instance that may cost it its runs. Milliseconds of the harness's clock. */
export interface Disturbance {
  readonly from: number;
  until: number;
}

export class InstanceProcess {
  readonly disturbances: Disturbance[] = [];
  /** Of orderly stops that did not end with exit code 0: how, and the last lines that the process has said. */
  readonly badEnds: string[] = [];
  stopped = false;
  private child: ChildProcess | undefined;
  private ready: Promise<boolean> = Promise.resolve(false);

  constructor(readonly settings: InstanceSettings) {
    mkdirSync(this.dataDir, { recursive: true });
  }

  get dataDir(): string {
    return join(this.settings.folder, this.settings.name);
  }

  get running(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.running ? this.child?.pid : undefined;
  }

  /** Resolves when it is ready, or has ended before; a start may meet a database that is down, and is repeated. */
  async start(): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      this.launch();
      if (await this.ready) return;
      await pause(500);
    }
    throw new Error(`${this.settings.name} does not start; see ${this.logFile}`);
  }

  signal(signal: NodeJS.Signals): void {
    if (this.running) this.child?.kill(signal);
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** In order: as a service manager does it. */
  async stop(): Promise<void> {
    const before = this.running ? 'when told to stop' : 'before it was told to stop';
    if (this.stopped) this.signal('SIGCONT');
    await this.end('SIGTERM');
    const { exitCode = null, signalCode = null } = this.child ?? {};
    if (exitCode === 0) return;
    this.badEnds.push(`${this.settings.name} ended with ${exitCode ?? signalCode} ${before}:\n${this.lastLines()}`);
  }

  get logFile(): string {
    return join(this.settings.folder, `${this.settings.name}.log`);
  }

  private lastLines(): string {
    const lines = readFileSync(this.logFile, 'utf8').trimEnd().split('\n');
    return lines.slice(-LINES_OF_AN_END).join('\n');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || !this.running) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    this.stopped = false;
  }

  private launch(): void {
    const { proxy, url, ownerUrl, env, clockOffset } = this.settings;
    const program =
      existsSync(BUILT) && process.env.CHAOS_FROM_SOURCE === undefined
        ? [BUILT]
        : ['-r', join(ROOT, 'scripts', 'swc-register.cjs'), join(ROOT, 'src', 'main.ts')];
    const fast = clockOffset ? ['-r', join(__dirname, 'clock-offset.cjs')] : [];
    const { PATH = '', HOME = '/' } = process.env;
    const child = spawn(process.execPath, [...fast, ...program], {
      env: {
        PATH,
        HOME,
        PORT: '0',
        HORARIUM_DATA_DIR: this.dataDir,
        DATABASE_URL: proxy.url(url),
        DATABASE_MIGRATION_URL: ownerUrl,
        HORARIUM_JWT_SECRET: SECRET,
        HORARIUM_ENCRYPTION_KEY: SECRET,
        HORARIUM_LOG_FORMAT: 'line',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    const log = createWriteStream(this.logFile, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    this.ready = new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), READY_WITHIN_MS);
      late.unref();
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
        if (said.includes('Three things to try')) resolve(true);
      });
      child.once('exit', () => {
        log.end();
        resolve(false);
      });
    });
  }
}
