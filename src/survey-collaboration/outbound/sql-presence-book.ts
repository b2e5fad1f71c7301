// Outbound adapter, owns table survey_presence.
import { systemActor, type UserActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { LockPolicy, Presence } from '../domain/lock';
import type { Attendance, PresenceBook } from '../ports/presence-book';

const IN_MS = (parameter: string): string => `horarium_now() + ${parameter}::integer * interval '1 millisecond'`;

const ARRIVE = `
  insert into survey_presence (tenant_id, survey_id, user_id, session, connection, seen_until)
  values ($1, $2, $3, $4, $5, ${IN_MS('$6')})
  on conflict (survey_id, user_id, session) do update
     set connection = excluded.connection, seen_until = excluded.seen_until`;

const DEPART = `
  delete from survey_presence where tenant_id = $1 and survey_id = $2 and user_id = $3 and session = $4
  returning survey_id`;

const DEPART_ALL = `delete from survey_presence where tenant_id = $1 and survey_id = $2 and user_id = any($3)`;

const PRESENT = `
  select p.user_id, p.session,
         (select l.field_key from survey_locks l
           where l.survey_id = p.survey_id and l.user_id = p.user_id and l.session = p.session
             and l.held and l.expires_at > horarium_now()
           order by l.renewed_at desc limit 1) as field_key
    from survey_presence p
   where p.tenant_id = $1 and p.survey_id = $2 and p.seen_until > horarium_now()
   order by p.user_id, p.session`;

const SHORTEN = `
  update survey_presence set seen_until = least(seen_until, ${IN_MS('$2')}) where connection = $1
  returning survey_id, user_id, session`;

const KEEP = `update survey_presence set seen_until = ${IN_MS('$2')} where connection = any($1)`;

const NEXT_END = `select min(seen_until) as at from survey_presence`;

const END_ABSENT = `
  delete from survey_presence p
   using (select survey_id, user_id, session from survey_presence
           where seen_until <= horarium_now() limit 500 for update skip locked) gone
   where p.survey_id = gone.survey_id and p.user_id = gone.user_id and p.session = gone.session
  returning p.survey_id, p.user_id, p.session`;

const ABSENT = systemActor('surveys: absent');

interface PresenceRow {
  readonly survey_id: string;
  readonly user_id: string;
  readonly session: string;
}

export class SqlPresenceBook implements PresenceBook {
  constructor(
    private readonly sessions: Sessions,
    private readonly policy: Pick<LockPolicy, 'graceMs' | 'presenceTtlMs'>,
  ) {}

  async arrive(actor: UserActor, surveyId: string, session: string, connection: string): Promise<void> {
    const values = [actor.tenantId, surveyId, actor.userId, session, connection, this.policy.presenceTtlMs];
    await this.sessions.run(actor, (tx) => tx.query(ARRIVE, values));
  }

  async depart(actor: UserActor, surveyId: string, session: string): Promise<boolean> {
    const values = [actor.tenantId, surveyId, actor.userId, session];
    return (await this.sessions.run(actor, (tx) => tx.query(DEPART, values))).length > 0;
  }

  async departAll(actor: UserActor, surveyId: string, userIds: readonly string[]): Promise<void> {
    await this.sessions.run(actor, (tx) => tx.query(DEPART_ALL, [actor.tenantId, surveyId, userIds]));
  }

  async present(actor: UserActor, surveyId: string): Promise<Presence[]> {
    type Row = PresenceRow & { readonly field_key: string | null };
    const rows = await this.sessions.run(actor, (tx) => tx.query<Row>(PRESENT, [actor.tenantId, surveyId]));
    return rows.map((row) => ({ userId: row.user_id, session: row.session, fieldKey: row.field_key }));
  }

  async shorten(connection: string): Promise<Attendance[]> {
    const values = [connection, this.policy.graceMs];
    return this.sessions.run(systemActor('surveys: a line broke'), async (tx) =>
      (await tx.query<PresenceRow>(SHORTEN, values)).map(toAttendance),
    );
  }

  async keep(connections: readonly string[]): Promise<void> {
    const values = [connections, this.policy.presenceTtlMs];
    await this.sessions.run(systemActor('surveys: lines alive'), (tx) => tx.query(KEEP, values));
  }

  async nextEnd(): Promise<Date | null> {
    const [next] = await this.sessions.ask<{ at: Date | null }>(ABSENT, NEXT_END);
    return next?.at ?? null;
  }

  endAbsent(): Promise<Attendance[]> {
    return this.sessions.run(ABSENT, async (tx) => (await tx.query<PresenceRow>(END_ABSENT)).map(toAttendance));
  }
}

function toAttendance(row: PresenceRow): Attendance {
  return { surveyId: row.survey_id, holder: { userId: row.user_id, session: row.session } };
}
