// Platform, instances. Owns the table instances: one row for each process that ever worked on this database.
// All times in it are the database's own (horarium_now), so that processes with different clocks agree who is alive.
// A process is dead when that is written down here (horarium_alive); who may write it is in judgement.ts.
import { systemActor } from '../../kernel/actor';
import { ownIdentity, type ProcessIdentity } from '../host/processes';
import type { Sessions } from '../persistence/sessions';
import { CRASHED_AFTER_SECONDS, type InstanceEnd, LATE_AFTER_SECONDS } from './judgement';

/** What a process says of itself. */
export interface InstanceCard {
  readonly host: string;
  readonly pid: number;
  readonly dataFolder: string;
  readonly version: string;
  /** Which process of which machine it is (platform/host/processes.ts), for others on that machine. */
  readonly identity?: unknown;
}

/** `late`: not declared dead, and its heartbeats are missing. */
export type InstanceState = 'alive' | 'late' | InstanceEnd;

export interface InstanceReading extends Omit<InstanceCard, 'identity'> {
  readonly id: string;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  readonly stoppedAt: Date | null;
  readonly silentForSeconds: number;
  readonly state: InstanceState;
}

/** What a heartbeat brings back. */
export interface Beat {
  /** The database's own time. */
  readonly now: Date;
  /** Another process lives, or died so recently that what it held may not be settled yet. */
  readonly others: boolean;
  /** Another one's heartbeat is late. */
  readonly suspects: boolean;
  /** Changes when the database, or this process's session on it, was started anew. */
  readonly session: string;
}

export interface LateInstance {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly identity: unknown;
  readonly silentForSeconds: number;
  readonly sessionOpen: boolean | null;
  /** Its last heartbeat, as it is stored: what a judgement is about. */
  readonly heartbeat: string;
}

interface Row {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly data_folder: string | null;
  readonly version: string;
  readonly started_at: Date;
  readonly heartbeat_at: Date;
  readonly stopped_at: Date | null;
  readonly ended: InstanceEnd | null;
  readonly silent_for: number;
}

const ACTOR = systemActor('instances');

export class Instances {
  constructor(private readonly sessions: Sessions) {}

  /**
   * Enters a process that starts, and marks earlier ones of the same data folder on this host as dead: the lock on
   * the folder says that they are. Answers the ids of those that had not said so themselves.
   */
  async register(id: string, card: InstanceCard): Promise<string[]> {
    const sessionKey = await this.sessions.markSession();
    return this.sessions.run(ACTOR, async (tx) => {
      const died = await tx.query<{ id: string }>(STOP_PREDECESSORS, [card.host, card.dataFolder, id]);
      await tx.query(FORGET, []);
      await tx.query(ENTER, entry(id, card, sessionKey));
      return died.map((row) => row.id);
    });
  }

  /** Enters a process again that others gave up, under its new id. Its predecessors are left as they are. */
  async rejoin(id: string, card: InstanceCard): Promise<void> {
    const sessionKey = await this.sessions.markSession();
    await this.sessions.run(ACTOR, (tx) => tx.query(ENTER, entry(id, card, sessionKey)));
  }

  /** Answers null when this process was declared dead, or its row is gone: it has to join again. */
  async beat(id: string): Promise<Beat | null> {
    const [row] = await this.sessions.ask<Beat>(ACTOR, BEAT, [id], { settings: IN_TIME });
    return row ?? null;
  }

  /** Those that are not declared dead and whose heartbeat is late. */
  async late(id: string): Promise<LateInstance[]> {
    return this.sessions.ask<LateInstance>(ACTOR, LATE, [id], { settings: IN_TIME });
  }

  /** False when it gave a sign of life in the meantime, or somebody else said it first. */
  async declareDead({ id, heartbeat }: LateInstance, how: InstanceEnd): Promise<boolean> {
    const rows = await this.sessions.ask(ACTOR, DECLARE_DEAD, [id, heartbeat, how], { settings: IN_TIME });
    return rows.length === 1;
  }

  async markStopped(id: string): Promise<void> {
    await this.sessions.run(ACTOR, (tx) => tx.query(STOP, [id]), { settings: IN_TIME });
  }

  /** The data folder of a process of this very machine (and container); null: it was elsewhere, or cannot be told. */
  async folderOf(id: string): Promise<string | null> {
    const asked = 'select data_folder, identity from instances where id = $1';
    const [row] = await this.sessions.ask<{ data_folder: string | null; identity: unknown }>(ACTOR, asked, [id]);
    const { boot, namespace } = (row?.identity ?? {}) as Partial<ProcessIdentity>;
    const own = ownIdentity();
    return own.boot !== '' && boot === own.boot && namespace === own.namespace ? (row?.data_folder ?? null) : null;
  }

  /** Newest first. */
  async list(): Promise<InstanceReading[]> {
    const rows = await this.sessions.run(ACTOR, (tx) => tx.query<Row>(LIST));
    return rows.map((row) => ({
      id: row.id,
      host: row.host,
      pid: row.pid,
      dataFolder: row.data_folder ?? '',
      version: row.version,
      startedAt: row.started_at,
      heartbeatAt: row.heartbeat_at,
      stoppedAt: row.stopped_at,
      silentForSeconds: row.silent_for,
      state: stateOf(row),
    }));
  }
}

function entry(id: string, card: InstanceCard, sessionKey: string | null): unknown[] {
  const { host, pid, dataFolder, version, identity } = card;
  return [id, host, pid, dataFolder, version, sessionKey, identity === undefined ? null : JSON.stringify(identity)];
}

function stateOf({ stopped_at, ended, silent_for }: Row): InstanceState {
  if (stopped_at !== null) return ended ?? 'stopped';
  return silent_for > CRASHED_AFTER_SECONDS ? 'late' : 'alive';
}

/** A heartbeat that waits is worth nothing. */
const IN_TIME = { lock_timeout: '1s', statement_timeout: '2s' };

const STOP_PREDECESSORS = `
  update instances set stopped_at = horarium_now(), ended = 'replaced'
   where host = $1 and data_folder = $2 and id <> $3 and stopped_at is null
  returning id`;

/** Rows of the long dead: what referred to them was settled days ago. */
const FORGET = `
  delete from instances
   where stopped_at < horarium_now() - interval '30 days'
      or (stopped_at is null and heartbeat_at < horarium_now() - interval '30 days')`;

const ENTER = `
  insert into instances (id, host, pid, data_folder, version, session_key, identity, started_at, heartbeat_at)
  select $1, $2, $3, $4, $5, $6, $7, now, now from horarium_now() as now`;

/** Keeps the promise that nobody comes back from the dead under an id that others have settled. */
const BEAT = `
  update instances set heartbeat_at = horarium_now()
   where id = $1 and stopped_at is null
  returning clock_timestamp() as now,
            exists (select from instances o
                     where o.id <> $1 and o.stopped_at is null
                       and o.heartbeat_at > horarium_now() - interval '5 minutes')
            or exists (select from instances o
                        where o.id <> $1 and o.stopped_at > horarium_now() - interval '1 minute') as others,
            exists (select from instances o
                     where o.id <> $1 and o.stopped_at is null
                       and o.heartbeat_at < horarium_now() - interval '${LATE_AFTER_SECONDS} seconds') as suspects,
            concat(pg_postmaster_start_time(), case when session_key is not null then pg_backend_pid() end) as session`;

/** A session of its own is seen by the advisory lock that it holds, for as long as it is open. */
const LATE = `
  select id, host, pid, identity, heartbeat_at::text as heartbeat,
         extract(epoch from horarium_now() - heartbeat_at)::double precision as "silentForSeconds",
         case when session_key is not null then exists (
           select from pg_locks l
            where l.locktype = 'advisory' and l.objsubid = 1
              and l.database = (select d.oid from pg_database d where d.datname = current_database())
              and (l.classid::bigint << 32 | l.objid::bigint) = i.session_key) end as "sessionOpen"
    from instances i
   where id <> $1 and stopped_at is null
     and heartbeat_at < horarium_now() - interval '${LATE_AFTER_SECONDS} seconds'`;

// Promise: nobody is declared dead over a heartbeat that the judge has not seen.
const DECLARE_DEAD = `
  update instances set stopped_at = horarium_now(), ended = $3
   where id = $1 and stopped_at is null and heartbeat_at = $2::timestamptz
  returning id`;

const STOP = `update instances set stopped_at = horarium_now(), ended = 'stopped' where id = $1 and stopped_at is null`;

const LIST = `
  select id, host, pid, data_folder, version, started_at, heartbeat_at, stopped_at, ended,
         extract(epoch from horarium_now() - heartbeat_at)::double precision as silent_for
    from instances
   order by started_at desc, id`;
