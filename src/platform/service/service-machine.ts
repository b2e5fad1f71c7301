// Platform, service. What installing a service needs of this machine. A test hands its own.
import { execFile } from 'node:child_process';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';

export type Ran = { readonly code: number; readonly output: string } | { readonly missing: string };

export interface ServiceMachine {
  readonly platform: NodeJS.Platform;
  readonly node: string;
  readonly project: string;
  readonly uid: number;
  readonly user: string;
  readonly home: string;
  /** Where an ordinary user's settings lie. */
  readonly configFolder: string;
  readonly path: string;
  /** Runs a program with its arguments, without a shell. */
  run(program: string, args: readonly string[]): Promise<Ran>;
}

const ANSWER_WITHIN_MS = 60_000;

export function thisMachine(): ServiceMachine {
  const home = homedir();
  const { username, uid } = userInfo();
  return {
    platform: process.platform,
    node: process.execPath,
    project: join(__dirname, '..', '..', '..'),
    uid,
    user: username,
    home,
    configFolder: process.env.XDG_CONFIG_HOME || join(home, '.config'),
    path: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    run,
  };
}

function run(program: string, args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: ANSWER_WITHIN_MS }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') resolve({ missing: error.message });
      else resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}`.trim() });
    });
  });
}
