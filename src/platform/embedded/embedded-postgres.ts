// Platform, embedded database. The supervisor: makes the cluster, starts PostgreSQL, starts it again when it dies,
// stops it. Knows nothing of what is stored: roles and tables are in embedded-database.ts and platform/persistence.
//
// The package's own class is not used: as root it needs a user called `postgres`, it cannot cope with a server that
// outlived a kill -9, and it takes signals for itself.
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { existsSync, realpathSync } from 'node:fs';
import { homeFor, OUTSIDE } from '../data-folder/outside-home';
import { canEnter, isRoot } from '../host/users';
import { bundledMajor, findBinaries } from './binaries';
import { clusterName, initCluster, isCluster, refuseOtherMajor, refuseWrongVersion } from './cluster';
import { EmbeddedDatabaseError } from './errors';
import { freePort } from './free-port';
import { clearLeftovers, endBackends } from './leftovers';
import { Postmaster, type PostmasterExit, type PostmasterSettings } from './postmaster';
import { databaseUser } from './run-as';
import { serverArguments } from './server-arguments';

/** Superuser of the cluster and owner of the tables. Migrations only. */
export const OWNER_ROLE = 'horarium_owner';

export interface EmbeddedOptions {
  /** Absolute, existing. The cluster becomes `postgres-<major>` in it. */
  readonly folder: string;
  /** Password of OWNER_ROLE. Must stay the same for the life of the cluster. */
  readonly password: string;
  /** False only for throw-away clusters: nothing is synced to disk. Default true. */
  readonly durable?: boolean;
  readonly maxConnections?: number;
  /** Users that agents may run as: PostgreSQL runs as another if it can. Default: `nobody`. */
  readonly agentUsers?: readonly string[];
  /** Where root puts what other users cannot reach in its own folders. */
  readonly outside?: string;
  /** A line of PostgreSQL's log. */
  readonly onLog?: (line: string) => void;
  /** PostgreSQL ended although nobody asked it to. It is started again; the port stays. */
  readonly onUnexpectedExit?: (exit: PostmasterExit) => void;
  /** It accepts connections again, so long after it ended. */
  readonly onRestarted?: (downForMs: number) => void;
  /** It could not be started again; the next attempt follows. */
  readonly onRestartFailed?: (error: unknown) => void;
}

const STOP_GRACE_MS = 15_000;
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
const ATTEMPTS = 5;
// What the next attempt may not meet any more: somebody took the port in between; a server that an earlier start had
// only just begun when it was killed wrote its pid file after we looked.
const PASSING = ['Address already in use', 'postmaster.pid" already exists', 'pre-existing shared memory block'];

export class EmbeddedPostgres {
  /** The server that ended by itself, while there is no new one. */
  private dead: Postmaster | undefined;
  private readonly stopping = new AbortController();
  private readonly supervision: Promise<void>;

  private constructor(
    private postmaster: Postmaster | undefined,
    private readonly settings: PostmasterSettings,
    private readonly options: EmbeddedOptions,
    readonly port: number,
    readonly cluster: string,
  ) {
    this.supervision = this.supervise();
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const { folder, password, durable = true, outside = OUTSIDE, agentUsers = ['nobody'], onLog } = options;
    const major = bundledMajor();
    const { user, home } = place(folder, major, agentUsers, outside);
    const programs = findBinaries(user, isRoot() ? outside : folder).path;
    const cluster = join(home, clusterName(major));
    refuseOtherMajor(home, major);
    if (!isCluster(cluster)) await initCluster(home, major, { programs, user, owner: OWNER_ROLE, password, durable });
    refuseWrongVersion(cluster, major);

    for (let attempt = 1; ; attempt++) {
      await clearLeftovers(cluster, programs, user);
      const port = await freePort();
      const args = serverArguments({ cluster, port, durable, maxConnections: options.maxConnections ?? 100 });
      const settings = { program: join(programs, 'postgres'), args, user, onLog: onLog ?? (() => undefined) };
      try {
        return new EmbeddedPostgres(await Postmaster.launch(settings), settings, options, port, cluster);
      } catch (error) {
        if (attempt === ATTEMPTS || !PASSING.some((words) => String(error).includes(words))) throw error;
      }
    }
  }

  /** The server process, undefined while it is down. */
  get pid(): number | undefined {
    return this.postmaster?.pid;
  }

  /** Address of a database, as the owner unless another role is given. */
  url(database: string, user = OWNER_ROLE, password = this.options.password): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** Stops the server and everything that belongs to it. Clients still connected are disconnected. */
  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.stopping.abort();
    await this.postmaster?.stop(graceMs);
    await this.supervision;
    if (this.dead !== undefined) await this.clearAfter(this.dead);
  }

  private async supervise(): Promise<void> {
    let pause = 0;
    while (this.postmaster !== undefined) {
      const startedAt = performance.now();
      const current: Postmaster = this.postmaster;
      const exit = await current.exited;
      if (this.stopping.signal.aborted) return;
      const endedAt = performance.now();
      this.postmaster = undefined;
      this.dead = current;
      this.options.onUnexpectedExit?.(exit);
      // At once the first time; one that keeps dying is given time, up to a few seconds.
      pause = endedAt - startedAt > 60_000 ? 0 : pause;
      while (this.postmaster === undefined) {
        if (!(await this.pause(pause))) return;
        pause = Math.min(Math.max(pause * 2, FIRST_RETRY_MS), LONGEST_RETRY_MS);
        await this.restart(current, endedAt);
      }
    }
  }

  /** Backends notice the loss of their server only when they next wait; until then they hold its memory. */
  private async clearAfter(dead: Postmaster): Promise<void> {
    if (!(await dead.settled(500))) await endBackends(this.cluster);
  }

  private async restart(before: Postmaster, endedAt: number): Promise<void> {
    try {
      await this.clearAfter(before);
      const next = await Postmaster.launch(this.settings);
      if (this.stopping.signal.aborted) return await next.stop(STOP_GRACE_MS);
      this.postmaster = next;
      this.dead = undefined;
      this.options.onRestarted?.(performance.now() - endedAt);
    } catch (error) {
      this.options.onRestartFailed?.(error);
    }
  }

  /** False: the supervisor is being stopped. */
  private async pause(ms: number): Promise<boolean> {
    await delay(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    return !this.stopping.signal.aborted;
  }
}

// The user decides where the cluster can lie, and an existing cluster decides the user.
function place(folder: string, major: number, agentUsers: readonly string[], outside: string) {
  const known = existsSync(join(folder, 'outside')) ? homeFor(folder, undefined, outside) : folder;
  const user = databaseUser(join(known, clusterName(major)), agentUsers);
  const home = realpathSync(homeFor(folder, user, outside));
  if (user !== undefined && !canEnter(home, user)) {
    throw new EmbeddedDatabaseError(
      `${user.name}, which PostgreSQL runs as, cannot enter ${home}: open the folders above it (chmod o+x).`,
    );
  }
  return { user, home };
}
