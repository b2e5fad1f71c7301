// Outbound. One transaction for many answers: lock the surveys, read what the decisions lean on, decide one by one, write
// what was decided. The house writes here for people of several tenants, so every row is asked for by its tenant.
import type { Tx } from '../../platform/persistence/sessions';
import type { Answer, AnswerVersion } from '../domain/answer';
import type { FieldLock } from '../domain/lock';
import type { Survey } from '../domain/survey';
import { type AnswerWrite, decideWrite, type WriteDecision } from '../domain/write';
import { ANSWER_COLUMNS, type AnswerRow, toAnswer, toVersion, VERSION_COLUMNS, type VersionRow } from './answer.row';
import { type LockRow, toLock } from './sql-lock-book';
import { SURVEY_COLUMNS, type SurveyRow, toSurvey } from './survey.row';

export interface MomentOfWrite {
  readonly write: AnswerWrite;
  readonly now: Date;
}

// Promise: the answers of a survey are written one after the other, over all processes; its rev has no gap and no fork.
// In the order of the ids, so that two batches never wait for each other in a circle.
const LOCK_SURVEYS = `
  select ${SURVEY_COLUMNS} from surveys
   where (tenant_id, id) in (select * from unnest($1::integer[], $2::text[])) and deleted_at is null
   order by id for no key update`;

const ANSWERS = `
  select ${ANSWER_COLUMNS}
    from survey_answers a
    join (select distinct * from unnest($1::text[], $2::text[])) w (survey_id, field_key) using (survey_id, field_key)`;

// Promise: a lock that was there when the decision was made is there until the answer is committed. Taking it over,
// ending it and forcing it wait for that.
const LOCKS = `
  select l.survey_id, l.field_key, l.user_id, l.session, l.fence, l.expires_at
    from survey_locks l
    join (select distinct * from unnest($1::text[], $2::text[])) w (survey_id, field_key) using (survey_id, field_key)
   where l.held and l.expires_at > horarium_now()
   order by l.survey_id, l.field_key for update of l`;

const REPLAYS = `
  select ${VERSION_COLUMNS}
    from survey_answer_versions v
    join (select distinct * from unnest($1::text[], $2::text[], $3::text[])) w (survey_id, user_id, op_id)
      using (survey_id, user_id, op_id)`;

const WRITE = `
  with new as (
    select * from unnest($1::text[], $2::integer[], $3::text[], $4::integer[], $5::text[], $6::jsonb[], $7::jsonb[],
                         $8::boolean[], $9::text[], $10::timestamptz[], $11::bigint[])
      as n (survey_id, tenant_id, field_key, version, user_id, value, old_value, overwrote, op_id, at, rev)
  ), kept as (
    insert into survey_answer_versions (survey_id, tenant_id, field_key, version, user_id, value, old_value, overwrote,
                                        op_id, created_at, rev)
    select * from new
  ), newest as (
    insert into survey_answers (survey_id, tenant_id, field_key, version, user_id, value, updated_at, rev)
    select distinct on (survey_id, field_key) survey_id, tenant_id, field_key, version, user_id, value, at, rev
      from new order by survey_id, field_key, version desc
    on conflict (survey_id, field_key) do update
       set version = excluded.version, user_id = excluded.user_id, value = excluded.value,
           updated_at = excluded.updated_at, rev = excluded.rev
  ), renewed as (
    update survey_locks l
       set expires_at = greatest(l.expires_at, horarium_now() + $15::integer * interval '1 millisecond'),
           renewed_at = horarium_now(), ends_as = 'expired'
      from (select distinct * from unnest($12::text[], $13::text[], $14::bigint[])) h (survey_id, field_key, fence)
     where l.survey_id = h.survey_id and l.field_key = h.field_key and l.fence = h.fence
  )
  update surveys s set rev = n.rev
    from (select survey_id, max(rev) as rev from new group by survey_id) n
   where s.id = n.survey_id`;

export async function writeAnswers(tx: Tx, items: readonly MomentOfWrite[], ttlMs: number): Promise<WriteDecision[]> {
  const page = await readPage(tx, items);
  const decided = items.map(({ write, now }) => ({ write, decision: page.decide(write, now) }));
  const written = decided.flatMap(({ write, decision }) =>
    decision.outcome === 'written' ? [{ write, version: decision.version }] : [],
  );
  if (written.length > 0) await tx.query(WRITE, [...versionColumns(written), ...lockColumns(written), ttlMs]);
  return decided.map(({ decision }) => decision);
}

async function readPage(tx: Tx, items: readonly MomentOfWrite[]): Promise<Page> {
  const writes = items.map(({ write }) => write);
  const surveys = await tx.query<SurveyRow>(LOCK_SURVEYS, [
    writes.map(({ actor }) => actor.tenantId),
    writes.map(({ surveyId }) => surveyId),
  ]);
  const known = new Set(surveys.map(({ id }) => id));
  const fields = writes.filter(({ surveyId }) => known.has(surveyId));
  const where = [fields.map(({ surveyId }) => surveyId), fields.map(({ fieldKey }) => fieldKey)];
  const answers = await tx.query<AnswerRow>(ANSWERS, where);
  const locks = await tx.query<LockRow>(LOCKS, where);
  const ops = fields.filter(({ opId }) => opId !== null);
  const replays =
    ops.length === 0
      ? []
      : await tx.query<VersionRow>(REPLAYS, [
          ops.map(({ surveyId }) => surveyId),
          ops.map(({ actor }) => actor.userId),
          ops.map(({ opId }) => opId),
        ]);
  return new Page(surveys, answers, locks, replays);
}

/** What is stored, carried on from one decision of the batch to the next. */
class Page {
  private readonly surveys: Map<string, Survey>;
  private readonly answers: Map<string, Answer>;
  private readonly locks: Map<string, FieldLock>;
  private readonly replays: Map<string, AnswerVersion>;

  constructor(
    surveys: readonly SurveyRow[],
    answers: readonly AnswerRow[],
    locks: readonly LockRow[],
    replays: readonly VersionRow[],
  ) {
    this.surveys = new Map(surveys.map((row) => [row.id, toSurvey(row)]));
    this.answers = new Map(answers.map((row) => [`${row.survey_id} ${row.field_key}`, toAnswer(row)]));
    this.locks = new Map(locks.map((row) => [`${row.survey_id} ${row.field_key}`, toLock(row)]));
    this.replays = new Map(replays.map((row) => [opKey(row.survey_id, row.user_id, row.op_id), toVersion(row)]));
  }

  decide(write: AnswerWrite, now: Date): WriteDecision {
    const place = `${write.surveyId} ${write.fieldKey}`;
    const op = opKey(write.surveyId, write.actor.userId, write.opId);
    const survey = this.surveys.get(write.surveyId) ?? null;
    const decision = decideWrite(
      write,
      {
        survey: survey?.owner.tenantId === write.actor.tenantId ? survey : null,
        answer: this.answers.get(place) ?? null,
        lock: this.locks.get(place) ?? null,
        replay: (write.opId === null ? undefined : this.replays.get(op)) ?? null,
      },
      now,
    );
    if (decision.outcome === 'written' && survey !== null) {
      this.surveys.set(survey.id, { ...survey, rev: decision.version.rev });
      this.answers.set(place, decision.version);
      if (write.opId !== null) this.replays.set(op, decision.version);
    }
    return decision;
  }
}

interface Written {
  readonly write: AnswerWrite;
  readonly version: AnswerVersion;
}

function versionColumns(written: readonly Written[]): unknown[] {
  const of = <T>(pick: (one: Written) => T): T[] => written.map(pick);
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  return [
    of(({ write }) => write.surveyId),
    of(({ write }) => write.actor.tenantId),
    of(({ version }) => version.fieldKey),
    of(({ version }) => version.version),
    of(({ version }) => version.userId),
    of(({ version }) => json(version.value)),
    of(({ version }) => json(version.oldValue)),
    of(({ version }) => version.overwrote),
    of(({ write }) => write.opId),
    of(({ version }) => version.updatedAt),
    of(({ version }) => version.rev),
  ];
}

function lockColumns(written: readonly Written[]): unknown[] {
  const under = written.flatMap(({ write: { surveyId, fieldKey, lock } }) =>
    lock === null ? [] : [[surveyId, fieldKey, lock.fence] as const],
  );
  return [0, 1, 2].map((column) => under.map((one) => one[column]));
}

function opKey(surveyId: string, userId: string, opId: string | null): string {
  return JSON.stringify([surveyId, userId, opId]);
}
