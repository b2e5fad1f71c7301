// Platform, instances. Owns the table timetable_turns: of all processes on a database, one at a time keeps a row of the
// timetable. A turn is a row and not a lock: it outlives statements, and works behind a pooler that shares connections.
import { systemActor } from '../../kernel/actor';
import type { ThisInstance } from '../../kernel/this-instance';
import type { Sessions } from '../persistence/sessions';

export interface TurnWish {
  readonly row: string;
  readonly gapMs: number | null;
  readonly instant: Date | null;
}

const ACTOR = systemActor('timetable: whose turn');
/** While another one is at it: its end is not announced, and it may die. */
const BUSY_MS = 15_000;
/** Timers are not exact: a process that is due is not put off for a second. */
const TOLERANCE_MS = 1_000;

export class ClusterTurns {
  constructor(
    private readonly sessions: Sessions,
    private readonly instance: ThisInstance,
  ) {}

  async take({ row, gapMs, instant }: TurnWish, now: Date): Promise<Date | null> {
    const gap = gapMs === null ? null : gapMs - Math.min(TOLERANCE_MS, gapMs / 10);
    const taken = await this.sessions.ask(ACTOR, TAKE, [row, this.instance.id, gap, instant]);
    if (taken.length > 0) return null;
    const [state] = await this.sessions.ask<{ busy: boolean; taken_ago: number }>(ACTOR, LOOK, [row]);
    if (state === undefined || gapMs === null || state.busy) {
      return new Date(now.getTime() + Math.min(BUSY_MS, gapMs ?? BUSY_MS));
    }
    return new Date(now.getTime() + Math.max(0, gapMs - state.taken_ago));
  }

  async done(row: string, succeeded: boolean): Promise<void> {
    await this.sessions.ask(ACTOR, DONE, [row, this.instance.id, !succeeded]).catch(() => undefined);
  }

  async lastInstant(row: string, now: Date): Promise<Date | null> {
    const [last] = await this.sessions.ask<{ instant: Date | null }>(ACTOR, LAST_INSTANT, [row, now]);
    return last?.instant ?? null;
  }
}

// Promise: of all who ask, one gets it, as long as it lives and has not given it back; an instant is taken once, unless
// its holder has failed or died at it.
const TAKE = `
  insert into timetable_turns as t (name, holder, taken_at, instant)
  values ($1, $2, horarium_now(), $4)
      on conflict (name) do update
         set holder = excluded.holder, taken_at = excluded.taken_at, finished_at = null, failed = false,
             instant = coalesce(excluded.instant, t.instant)
       where (t.finished_at is not null or t.holder is null or t.holder = $2 or not horarium_alive(t.holder))
         and ($3::double precision is null or t.failed or t.finished_at is null
              or t.taken_at <= horarium_now() - $3::double precision * interval '1 millisecond')
         and ($4::timestamptz is null or t.instant is null or t.instant < $4
              or (t.instant = $4 and (t.failed or t.finished_at is null)))
  returning name`;

const LOOK = `
  select (finished_at is null and horarium_alive(holder)) as busy,
         (extract(epoch from horarium_now() - taken_at) * 1000)::double precision as taken_ago
    from timetable_turns where name = $1`;

const DONE = `
  update timetable_turns set finished_at = horarium_now(), failed = $3
   where name = $1 and holder = $2 and finished_at is null
  returning name`;

const LAST_INSTANT = `
  with first_seen as (
    insert into timetable_turns (name, taken_at, instant, finished_at)
    values ($1, horarium_now(), $2, horarium_now()) on conflict (name) do nothing
  )
  select instant from timetable_turns where name = $1`;
