// Outbound adapter, owns tables survey_answers and survey_answer_versions. Answers that arrive within a few milliseconds
// of each other are written together: the same number of statements for one as for a hundred. What they write is in
// write-answers.ts.
import { systemActor, type UserActor } from '../../kernel/actor';
import { MicroBatch, type MicroBatchOptions } from '../../platform/persistence/micro-batch';
import type { Sessions } from '../../platform/persistence/sessions';
import type { Answer, AnswerVersion } from '../domain/answer';
import type { HistoryPage } from '../domain/listing';
import type { LockPolicy } from '../domain/lock';
import type { AnswerWrite, WriteDecision } from '../domain/write';
import type { AnswerBook } from '../ports/answer-book';
import { ANSWER_COLUMNS, type AnswerRow, toAnswer, toVersion, VERSION_COLUMNS, type VersionRow } from './answer.row';
import { type MomentOfWrite, writeAnswers } from './write-answers';

const ANSWERS = `
  select ${ANSWER_COLUMNS} from survey_answers a where a.tenant_id = $1 and a.survey_id = $2 and a.rev > $3
   order by a.rev`;

const HISTORY = `
  select ${VERSION_COLUMNS}
    from survey_answer_versions v
   where v.tenant_id = $1 and v.survey_id = $2 and ($3::text is null or v.field_key = $3)
     and ($4::bigint is null or v.rev < $4)
   order by v.rev desc
   limit $5`;

export class SqlAnswerBook implements AnswerBook {
  private readonly writes: MicroBatch<MomentOfWrite, WriteDecision>;

  constructor(
    private readonly sessions: Sessions,
    { ttlMs }: Pick<LockPolicy, 'ttlMs'>,
    batch: MicroBatchOptions,
  ) {
    this.writes = new MicroBatch(
      (items) => this.sessions.run(systemActor('surveys: answers'), (tx) => writeAnswers(tx, items, ttlMs)),
      batch,
    );
  }

  async answers(actor: UserActor, surveyId: string, sinceRev: number): Promise<Answer[]> {
    const values = [actor.tenantId, surveyId, sinceRev];
    return (await this.sessions.run(actor, (tx) => tx.query<AnswerRow>(ANSWERS, values))).map(toAnswer);
  }

  async history(
    actor: UserActor,
    surveyId: string,
    fieldKey: string | null,
    { limit, before }: HistoryPage,
  ): Promise<AnswerVersion[]> {
    const values = [actor.tenantId, surveyId, fieldKey, before, limit];
    return (await this.sessions.run(actor, (tx) => tx.query<VersionRow>(HISTORY, values))).map(toVersion);
  }

  write(write: AnswerWrite, now: Date): Promise<WriteDecision> {
    return this.writes.add({ write, now });
  }

  drain(): Promise<void> {
    return this.writes.drain();
  }
}
