// Use case. Answers a field, over the socket or over HTTP; everyone who has the survey open learns of it.
import type { Answer } from '../domain/answer';
import type { AnswerWrite } from '../domain/write';
import type { AnswerBook } from '../ports/answer-book';
import type { SurveyRoom } from '../ports/survey-room';

export class WriteAnswer {
  constructor(
    private readonly answers: AnswerBook,
    private readonly room: SurveyRoom,
  ) {}

  async run(write: AnswerWrite, now: Date): Promise<Answer> {
    const decision = await this.answers.write(write, now);
    if (decision.outcome === 'refused') throw decision.error;
    if (decision.outcome === 'written') this.room.updated(write.surveyId, decision.version);
    return decision.version;
  }
}
