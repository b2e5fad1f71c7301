// Platform, embedded database. The cluster folder: where it lies, how it is made.
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HostUser } from '../host/users';
import { EmbeddedDatabaseError } from './errors';
import { runProgram } from './program';

const DRAFT = 'init-';

/** The folder's name carries the major version, since one version cannot read the files of another. */
export function clusterName(major: number): string {
  return `postgres-${major}`;
}

export function isCluster(path: string): boolean {
  return existsSync(join(path, 'PG_VERSION'));
}

/** Refuses to begin an empty database beside a full one of another version. */
export function refuseOtherMajor(home: string, major: number): void {
  if (!existsSync(home)) return;
  const other = readdirSync(home)
    .map((name) => /^postgres-(\d+)$/.exec(name)?.[1])
    .find((found) => found !== undefined && Number(found) !== major && isCluster(join(home, `postgres-${found}`)));
  if (other === undefined || isCluster(join(home, clusterName(major)))) return;
  throw new EmbeddedDatabaseError(
    `The data folder ${home} holds a database of PostgreSQL ${other}; this Horarium brings PostgreSQL ${major}, which ` +
      `cannot read it. Start the earlier Horarium, dump the database (pg_dump), move ${clusterName(Number(other))} ` +
      'away, and load the dump into the new one.',
  );
}

/** Refuses a folder whose files are of another version than its name says. */
export function refuseWrongVersion(cluster: string, major: number): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === String(major)) return;
  throw new EmbeddedDatabaseError(
    `${cluster} was made by PostgreSQL ${found || '(unreadable)'}, and this Horarium brings PostgreSQL ${major}.`,
  );
}

export interface InitSettings {
  readonly programs: string;
  readonly user: HostUser | undefined;
  readonly owner: string;
  readonly password: string;
  /** false for throw-away clusters. */
  readonly durable: boolean;
}

/** Makes a cluster. Under another name until it is whole: one that was interrupted leaves nothing that is used. */
export async function initCluster(home: string, major: number, settings: InitSettings): Promise<void> {
  const { programs, user, owner, password, durable } = settings;
  removeDrafts(home);
  const cluster = join(home, clusterName(major));
  if (existsSync(cluster)) setAside(cluster);
  const work = mkdtempSync(join(home, DRAFT));
  try {
    const passwordFile = join(work, 'password');
    const draft = join(work, 'cluster');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) for (const path of [work, passwordFile]) chownSync(path, user.uid, user.gid);
    await runProgram(
      join(programs, 'initdb'),
      [
        `--pgdata=${draft}`,
        `--username=${owner}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Sort order and case rules built into PostgreSQL: the same on every machine, whatever locales it has.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(durable ? [] : ['--no-sync']),
      ],
      user,
    );
    renameSync(draft, cluster);
  } finally {
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

function removeDrafts(home: string): void {
  for (const name of readdirSync(home)) {
    // An initdb that outlived its house for a second may still write: try again.
    if (name.startsWith(DRAFT)) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

// A folder of that name which is no cluster: an empty one is in the way, anything else may be somebody's.
function setAside(path: string): void {
  if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  else renameSync(path, `${path}.unusable-${randomUUID().slice(0, 8)}`);
}
