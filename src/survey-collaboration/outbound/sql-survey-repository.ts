// Outbound adapter, owns table surveys. Its `rev` is also moved on by sql-answer-book, under the same row lock.
import type { UserActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { SurveyFilter, SurveyPage } from '../domain/listing';
import type { Survey } from '../domain/survey';
import type { Change, SurveyRepository } from '../ports/survey-repository';
import { SURVEY_COLUMNS, type SurveyRow, toSurvey } from './survey.row';

const ADD = `
  insert into surveys (id, tenant_id, user_id, title, description, fields, audience, members, status, rev, created_at,
                       updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** The same as mayFill of the domain. */
const VISIBLE = `
  tenant_id = $1 and deleted_at is null and (user_id = $2 or audience = 'tenant' or $2 = any(members) or $3)`;

const FIND = `select ${SURVEY_COLUMNS} from surveys where ${VISIBLE} and id = $4`;

const LIST = `
  select ${SURVEY_COLUMNS}
    from surveys
   where ${VISIBLE}
     and ($4::text is null or status = $4)
     and ($5::text is null or title ilike $5)
     and ($6::timestamptz is null or (created_at, id) < ($6, $7))
   order by created_at desc, id desc
   limit $8`;

// Promise: what the change is decided on stays so until it is written. Writers of answers wait here too.
const LOCK = `${FIND} for no key update`;

const ANSWERED = `select field_key from survey_answers where survey_id = $1`;

const SAVE = `
  update surveys
     set title = $2, description = $3, fields = $4, audience = $5, members = $6, status = $7, rev = $8, updated_at = $9
   where id = $1`;

const DISCARD = `
  update surveys set deleted_at = $5, updated_at = $5, rev = rev + 1 where ${VISIBLE} and id = $4`;

export class SqlSurveyRepository implements SurveyRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: UserActor, survey: Survey): Promise<void> {
    const { id, owner, title, description, fields, audience, members, status, rev, createdAt, updatedAt } = survey;
    const what = [title, description, JSON.stringify(fields), audience, members, status, rev];
    const values = [id, owner.tenantId, owner.userId, ...what, createdAt, updatedAt];
    await this.sessions.run(actor, (tx) => tx.query(ADD, values));
  }

  async find(actor: UserActor, surveyId: string): Promise<Survey | null> {
    const values = [...viewOf(actor), surveyId];
    const [row] = await this.sessions.run(actor, (tx) => tx.query<SurveyRow>(FIND, values));
    return row === undefined ? null : toSurvey(row);
  }

  async list(actor: UserActor, { status, text }: SurveyFilter, { limit, after }: SurveyPage): Promise<Survey[]> {
    const filter = [status, text === undefined ? undefined : containing(text)];
    const values = [...viewOf(actor), ...filter, after?.createdAt, after?.id, limit];
    return (await this.sessions.run(actor, (tx) => tx.query<SurveyRow>(LIST, values))).map(toSurvey);
  }

  async change(actor: UserActor, surveyId: string, change: Change): Promise<{ before: Survey; after: Survey } | null> {
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<SurveyRow>(LOCK, [...viewOf(actor), surveyId]);
      if (row === undefined) return null;
      const answered = await tx.query<{ field_key: string }>(ANSWERED, [surveyId]);
      const before = toSurvey(row);
      const after = change(before, new Set(answered.map(({ field_key: key }) => key)));
      const { title, description, fields, audience, members, status, rev, updatedAt } = after;
      const what = [title, description, JSON.stringify(fields), audience, members, status, rev, updatedAt];
      await tx.query(SAVE, [surveyId, ...what]);
      return { before, after };
    });
  }

  async discard(actor: UserActor, surveyId: string, now: Date): Promise<void> {
    await this.sessions.run(actor, (tx) => tx.query(DISCARD, [...viewOf(actor), surveyId, now]));
  }
}

/** The first fence, beside the policies: tenant, person, and whether they see all of their tenant's. */
function viewOf({ tenantId, userId, roles }: UserActor): [number, string, boolean] {
  return [tenantId, userId, roles.includes('manager') || roles.includes('operator')];
}

/** A pattern that finds `text` anywhere, every character of it meaning itself. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
