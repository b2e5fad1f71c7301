// Use case. Draws up a survey.
import type { UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { type FieldInput, surveyFields } from '../domain/field';
import { labelText, optionalText } from '../domain/plain-text';
import { type Audience, membersOf, type Survey } from '../domain/survey';
import type { SurveyRepository } from '../ports/survey-repository';

export interface SurveyInput {
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly FieldInput[];
  readonly audience: Audience;
  readonly members: readonly string[];
}

export class CreateSurvey {
  constructor(
    private readonly surveys: SurveyRepository,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor, input: SurveyInput, now: Date): Promise<Survey> {
    const survey: Survey = {
      id: prefixedId('survey-', this.ids),
      owner: { tenantId: actor.tenantId, userId: actor.userId },
      title: labelText('title', input.title, 255),
      description: optionalText('description', input.description, 4_000),
      fields: surveyFields(input.fields),
      audience: input.audience,
      members: membersOf(input.members),
      status: 'open',
      rev: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.surveys.add(actor, survey);
    return survey;
  }
}
