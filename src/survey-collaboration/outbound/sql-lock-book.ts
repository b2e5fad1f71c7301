// Outbound adapter, owns table survey_locks. Its time is the database's: one clock for all processes.
// An answer renews its lock in sql-answer-book, in the transaction that writes it.
import { systemActor, type UserActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { FieldLock, LockHolder, LockPolicy } from '../domain/lock';
import type { EndedLock, LockBook, LockTaken } from '../ports/lock-book';

const EXPIRED = systemActor('surveys: expired locks');

export interface LockRow {
  readonly survey_id: string;
  readonly field_key: string;
  readonly user_id: string;
  readonly session: string;
  readonly fence: string;
  readonly expires_at: Date;
}

const COLUMNS = 'l.survey_id, l.field_key, l.user_id, l.session, l.fence, l.expires_at';
const OF_TENANT = 'l.tenant_id = $1 and l.survey_id = $2';

// Promise: of all that ask at once one has it. They wait for each other at the primary key, and all but the first find a
// lock that is held. A session's name is known to others: it is nobody's without the person.
const TAKE = `
  with moment as materialized (select horarium_now() as at)
  insert into survey_locks as l (tenant_id, survey_id, field_key, user_id, session, held, fence, renewed_at, announced_at,
                                 expires_at, ends_as)
  select $1, $2, $3, $4, $5, true, 1, at, at, at + $6::integer * interval '1 millisecond', 'expired' from moment
  on conflict (survey_id, field_key) do update
     set held = true, user_id = excluded.user_id, session = excluded.session, ends_as = 'expired',
         fence = case when l.held and l.expires_at > excluded.renewed_at then l.fence else l.fence + 1 end,
         announced_at = case when l.held and l.expires_at > excluded.renewed_at and l.ends_as = 'expired'
                                  and l.announced_at > excluded.renewed_at - $6::integer * interval '1 millisecond' / 2
                             then l.announced_at else excluded.renewed_at end,
         renewed_at = excluded.renewed_at, expires_at = greatest(l.expires_at, excluded.expires_at)
   where l.tenant_id = excluded.tenant_id
     and (not l.held or l.expires_at <= excluded.renewed_at
          or (l.user_id = excluded.user_id and l.session = excluded.session))
  returning ${COLUMNS}, l.announced_at = l.renewed_at as announce`;

const HELD = `select ${COLUMNS} from survey_locks l where ${OF_TENANT} and l.held and l.expires_at > horarium_now()`;

const RELEASE = `
  update survey_locks l
     set held = false, expires_at = least(l.expires_at, horarium_now())
   where ${OF_TENANT} and l.held and l.field_key = $3 and l.user_id = $4 and l.session = $5 and l.fence = $6
  returning ${COLUMNS}`;

const RELEASE_ALL = `
  update survey_locks l
     set held = false, expires_at = least(l.expires_at, horarium_now())
   where ${OF_TENANT} and l.held and l.user_id = $3 and l.session = $4
  returning ${COLUMNS}`;

// An expired one that nobody has ended yet is ended by the sweep, under its own reason.
const FORCE = `
  update survey_locks l
     set held = false, expires_at = horarium_now()
   where ${OF_TENANT} and l.held and l.expires_at > horarium_now()
     and ($3::text is null or l.field_key = $3) and ($4::text[] is null or l.user_id = any($4))
  returning ${COLUMNS}`;

const SHORTEN = `
  update survey_locks l
     set expires_at = least(l.expires_at, horarium_now() + $4::integer * interval '1 millisecond'), ends_as = 'disconnected'
   where l.survey_id = $1 and l.user_id = $2 and l.session = $3 and l.held and l.expires_at > horarium_now()`;

const LENGTHEN = `
  update survey_locks l
     set expires_at = greatest(l.expires_at, horarium_now() + $5::integer * interval '1 millisecond'), ends_as = 'expired'
   where ${OF_TENANT} and l.user_id = $3 and l.session = $4 and l.held and l.expires_at > horarium_now()`;

const NEXT_END = `select min(expires_at) as at from survey_locks where held`;

// Promise: each lock is ended once. Those that another process is ending are passed over.
const END_EXPIRED = `
  update survey_locks l
     set held = false
    from (select survey_id, field_key from survey_locks
           where held and expires_at <= horarium_now()
           order by expires_at limit 500 for update skip locked) due
   where l.survey_id = due.survey_id and l.field_key = due.field_key
  returning l.survey_id, l.field_key, l.ends_as as reason`;

export class SqlLockBook implements LockBook {
  constructor(
    private readonly sessions: Sessions,
    private readonly policy: Pick<LockPolicy, 'ttlMs' | 'graceMs'>,
  ) {}

  async take(actor: UserActor, surveyId: string, fieldKey: string, session: string): Promise<LockTaken> {
    const { tenantId, userId } = actor;
    const values = [tenantId, surveyId, fieldKey, userId, session, this.policy.ttlMs];
    return this.sessions.run(actor, async (tx) => {
      for (;;) {
        const [taken] = await tx.query<LockRow & { announce: boolean }>(TAKE, values);
        if (taken !== undefined) return { outcome: 'taken', lock: toLock(taken), announce: taken.announce };
        const held = await tx.query<LockRow>(`${HELD} and l.field_key = $3`, [tenantId, surveyId, fieldKey]);
        // None: it ended between the two statements, and is there to be taken.
        if (held[0] !== undefined) return { outcome: 'held', lock: toLock(held[0]) };
      }
    });
  }

  async release(
    actor: UserActor,
    surveyId: string,
    fieldKey: string,
    session: string,
    fence: number,
  ): Promise<boolean> {
    const values = [actor.tenantId, surveyId, fieldKey, actor.userId, session, fence];
    return (await this.sessions.run(actor, (tx) => tx.query(RELEASE, values))).length > 0;
  }

  async releaseAll(actor: UserActor, surveyId: string, session: string): Promise<string[]> {
    const values = [actor.tenantId, surveyId, actor.userId, session];
    return keys(await this.sessions.run(actor, (tx) => tx.query<LockRow>(RELEASE_ALL, values)));
  }

  async force(actor: UserActor, surveyId: string, fieldKey: string): Promise<FieldLock | null> {
    const values = [actor.tenantId, surveyId, fieldKey, null];
    const [row] = await this.sessions.run(actor, (tx) => tx.query<LockRow>(FORCE, values));
    return row === undefined ? null : toLock(row);
  }

  async forceAll(actor: UserActor, surveyId: string, userIds: readonly string[] | 'everybody'): Promise<string[]> {
    const values = [actor.tenantId, surveyId, null, userIds === 'everybody' ? null : userIds];
    return keys(await this.sessions.run(actor, (tx) => tx.query<LockRow>(FORCE, values)));
  }

  async live(actor: UserActor, surveyId: string): Promise<FieldLock[]> {
    const values = [actor.tenantId, surveyId];
    const rows = await this.sessions.run(actor, (tx) => tx.query<LockRow>(`${HELD} order by l.field_key`, values));
    return rows.map(toLock);
  }

  async shorten(surveyId: string, { userId, session }: LockHolder): Promise<void> {
    const values = [surveyId, userId, session, this.policy.graceMs];
    await this.sessions.run(systemActor('surveys: a line broke'), (tx) => tx.query(SHORTEN, values));
  }

  async lengthen(actor: UserActor, surveyId: string, session: string): Promise<void> {
    const values = [actor.tenantId, surveyId, actor.userId, session, this.policy.ttlMs];
    await this.sessions.run(actor, (tx) => tx.query(LENGTHEN, values));
  }

  async nextEnd(): Promise<Date | null> {
    const [next] = await this.sessions.ask<{ at: Date | null }>(EXPIRED, NEXT_END);
    return next?.at ?? null;
  }

  endExpired(): Promise<EndedLock[]> {
    return this.sessions.run(EXPIRED, async (tx) => {
      const rows = await tx.query<LockRow & Pick<EndedLock, 'reason'>>(END_EXPIRED);
      return rows.map((row) => ({ surveyId: row.survey_id, fieldKey: row.field_key, reason: row.reason }));
    });
  }
}

export function toLock(row: LockRow): FieldLock {
  const holder = { userId: row.user_id, session: row.session };
  return { fieldKey: row.field_key, holder, fence: Number(row.fence), expiresAt: row.expires_at };
}

function keys(rows: readonly LockRow[]): string[] {
  return rows.map((row) => row.field_key).sort();
}
