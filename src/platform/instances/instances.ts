// Platform, instances. Owns the table instances: one row for each process that ever worked on this database.
// All times in it are the database's own (horarium_now), so that processes with different clocks agree who is alive.
import { systemActor } from '../../kernel/actor';
import type { Sessions } from '../persistence/sessions';

/** What a process says of itself. */
export interface InstanceCard {
  readonly host: string;
  readonly pid: number;
  readonly dataFolder: string;
  readonly version: string;
}

/** `silent`: not stopped, and without a heartbeat for longer than a live process ever is. */
export type InstanceState = 'alive' | 'silent' | 'stopped';

export interface InstanceReading extends InstanceCard {
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
  readonly silent_for: number;
}

/** Three heartbeats: one may be late, two in a row are not. */
const SILENT_AFTER_SECONDS = 6;
const ACTOR = systemActor('instances');

export class Instances {
  constructor(private readonly sessions: Sessions) {}

  /**
   * Enters a process that starts, and marks earlier ones of the same data folder on this host as stopped: the lock on
   * the folder says that they are dead. Answers the ids of those that had not said so themselves.
   */
  async register(id: string, card: InstanceCard): Promise<string[]> {
    const { host, pid, dataFolder, version } = card;
    return this.sessions.run(ACTOR, async (tx) => {
      const died = await tx.query<{ id: string }>(STOP_PREDECESSORS, [host, dataFolder, id]);
      await tx.query(FORGET, []);
      await tx.query(ENTER, [id, host, pid, dataFolder, version]);
      return died.map((row) => row.id);
    });
  }

  /** Enters a process again that others gave up, under its new id. Its predecessors are left as they are. */
  async rejoin(id: string, { host, pid, dataFolder, version }: InstanceCard): Promise<void> {
    await this.sessions.run(ACTOR, (tx) => tx.query(ENTER, [id, host, pid, dataFolder, version]));
  }

  /** Answers null when this process was declared dead, or its row is gone: it has to join again. */
  async beat(id: string): Promise<Beat | null> {
    const [row] = await this.sessions.ask<Beat>(ACTOR, BEAT, [id], { settings: IN_TIME });
    return row ?? null;
  }

  async markStopped(id: string): Promise<void> {
    await this.sessions.run(ACTOR, (tx) => tx.query(STOP, [id]), { settings: IN_TIME });
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

function stateOf({ stopped_at, silent_for }: Row): InstanceState {
  if (stopped_at !== null) return 'stopped';
  return silent_for > SILENT_AFTER_SECONDS ? 'silent' : 'alive';
}

/** A heartbeat that waits is worth nothing. */
const IN_TIME = { lock_timeout: '1s', statement_timeout: '2s' };

const STOP_PREDECESSORS = `
  update instances set stopped_at = horarium_now()
   where host = $1 and data_folder = $2 and id <> $3 and stopped_at is null
  returning id`;

/** Rows of the long dead: what referred to them was settled days ago. */
const FORGET = `
  delete from instances
   where stopped_at < horarium_now() - interval '30 days'
      or (stopped_at is null and heartbeat_at < horarium_now() - interval '30 days')`;

const ENTER = `
  insert into instances (id, host, pid, data_folder, version, started_at, heartbeat_at)
  select $1, $2, $3, $4, $5, now, now from horarium_now() as now`;

/** Keeps the promise that nobody comes back from the dead under an id that others have settled. */
const BEAT = `
  update instances set heartbeat_at = horarium_now()
   where id = $1 and stopped_at is null
  returning clock_timestamp() as now,
            exists (select from instances o
                     where o.id <> $1 and o.stopped_at is null
                       and o.heartbeat_at > horarium_now() - interval '5 minutes') as others`;

const STOP = `update instances set stopped_at = horarium_now() where id = $1 and stopped_at is null`;

const LIST = `
  select id, host, pid, data_folder, version, started_at, heartbeat_at, stopped_at,
         extract(epoch from horarium_now() - heartbeat_at)::double precision as silent_for
    from instances
   order by started_at desc, id`;
