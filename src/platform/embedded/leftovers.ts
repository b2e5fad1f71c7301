// Platform, embedded database. What an earlier life left behind: a server orphaned by a kill -9 of the house, its
// backends, a pid file that means nothing any more.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { readIfThere } from '../host/files';
import { commandLine, isAlive, isTaken, processesIn } from '../host/processes';
import type { HostUser } from '../host/users';
import { EmbeddedDatabaseError } from './errors';
import { runProgram } from './program';

/**
 * Makes a cluster ready to be started: stops a server that still runs on it, ends backends without a server, and
 * removes a pid file that would make PostgreSQL refuse. Returns the pid of the server it stopped, if any.
 * The caller holds the data folder's lock, so whatever runs here belongs to nobody.
 */
export async function clearLeftovers(
  cluster: string,
  programs: string,
  user: HostUser | undefined,
): Promise<number | undefined> {
  const pidFile = join(cluster, 'postmaster.pid');
  const text = readIfThere(pidFile);
  if (text === undefined) return undefined;
  const pid = Number.parseInt(text, 10);
  if (pid > 0 && isAlive(pid) && isServerOf(pid, cluster)) {
    await stopServer(pid, cluster, programs, user);
    return pid;
  }
  await endBackends(cluster);
  // With a free pid in it, PostgreSQL reads the file itself, and clears the shared memory that it names. It refuses
  // an empty file, and a pid that is taken: by another process of the same user (usual in containers), or by the
  // dead server itself while its parent has not noticed.
  if (!(pid > 0) || isTaken(pid)) rmSync(pidFile, { force: true });
  return undefined;
}

/** Ends processes that a dead server left on the cluster: busy ones would not notice, and hold its memory. */
export async function endBackends(cluster: string): Promise<void> {
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const left = processesIn(cluster) ?? [];
    if (left.length === 0) return;
    for (const pid of left) send(pid, signal);
    await allGone(left, 3_000);
  }
}

// The pid file alone proves nothing: ids are used again. The server's working folder is the cluster.
function isServerOf(pid: number, cluster: string): boolean {
  const living = processesIn(cluster);
  return living === undefined ? commandLine(pid).includes(`-D ${cluster}`) : living.includes(pid);
}

async function stopServer(pid: number, cluster: string, programs: string, user: HostUser | undefined): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    try {
      await runProgram(join(programs, 'pg_ctl'), ['stop', '-D', cluster, '-m', mode, '-w', '-t', '20'], user);
      if (await allGone([pid], 5_000)) return;
    } catch {
      // It may have ended by itself in between.
      if (!isAlive(pid)) return;
    }
  }
  throw new EmbeddedDatabaseError(
    `A PostgreSQL of an earlier start still runs on ${cluster} and does not stop: end process ${pid}, then start again.`,
  );
}

async function allGone(pids: readonly number[], withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (pids.some(isAlive)) {
    if (performance.now() > deadline) return false;
    await delay(10);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
}
