// Benchmarks. The server as `npm start` runs it: `node dist/main.js` in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT } from 'jose';
import type { Bench } from './bench';
import type { ScratchDatabase } from './scratch-server';

const MAIN = join(__dirname, '..', 'dist', 'main.js');
const SECRET = 'a secret of benchmarks, longer than thirty-two characters';
const KEY = 'a key of benchmarks, longer than thirty-two characters';
/** What a start may take on a machine that does other things, too. */
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 40_000;

export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly readyAfterMs: number;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly dataDir: string;
  /** Without it the embedded one is used. */
  readonly database?: ScratchDatabase;
  readonly env?: Readonly<Record<string, string>>;
}

export async function startServer(bench: Bench, options: ServerOptions): Promise<ServerProcess> {
  if (!existsSync(MAIN)) throw new Error('dist/main.js is missing: npm run build');
  const { PATH, HOME, LANG } = process.env;
  const own = { HORARIUM_JWT_SECRET: SECRET, HORARIUM_ENCRYPTION_KEY: KEY };
  const { database } = options;
  const external =
    database === undefined ? {} : { DATABASE_URL: database.url, DATABASE_MIGRATION_URL: database.ownerUrl };
  const since = performance.now();
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, LANG, PORT: '0', HORARIUM_DATA_DIR: options.dataDir, ...own, ...external, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stopChild(child));
  bench.later(stop);
  const url = await readyAddress(child);
  return { pid: child.pid!, url, readyAfterMs: performance.now() - since, stop };
}

/** A bearer token of this person for every server started here. */
export function tokenFor(userId: string, role = 'user'): Promise<string> {
  return new SignJWT({ tenant_id: 1, roles: [role] })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime('6h')
    .sign(createSecretKey(Buffer.from(SECRET)));
}

function readyAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const late = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_WITHIN_MS);
    const hear = (text: string): void => {
      output = (output + text).slice(-20_000);
      const address = /is ready\.[\s\S]*Address\s+(http:\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    };
    for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', hear);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`the server ended with ${code} before it was ready:\n${output}`));
    });
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const inTime = await Promise.race([gone.then(() => true), pause(STOPPED_WITHIN_MS, false, { ref: false })]);
  if (inTime) return;
  child.kill('SIGKILL');
  await gone;
}
