// Use case. Changes, closes or reopens a survey, and tells those who have it open. Whoever may not fill it any more is
// shut out at once, also where they are connected.
import type { UserActor } from '../../kernel/actor';
import { SurveyNotFoundError } from '../domain/errors';
import { type FieldInput, surveyFields } from '../domain/field';
import { labelText, optionalText } from '../domain/plain-text';
import { edited, membersOf, requireManagement, shutOut, type Survey, type SurveyEdit } from '../domain/survey';
import type { LockBook } from '../ports/lock-book';
import type { PresenceBook } from '../ports/presence-book';
import type { SurveyRepository } from '../ports/survey-repository';
import type { SurveyRoom } from '../ports/survey-room';

/** What is absent stays. */
export type SurveyPatch = Omit<SurveyEdit, 'fields'> & { readonly fields?: readonly FieldInput[] };

export class ChangeSurvey {
  constructor(
    private readonly surveys: SurveyRepository,
    private readonly locks: LockBook,
    private readonly presence: PresenceBook,
    private readonly room: SurveyRoom,
  ) {}

  async run(actor: UserActor, surveyId: string, patch: SurveyPatch, now: Date): Promise<Survey> {
    const edit = checked(patch);
    const changed = await this.surveys.change(actor, surveyId, (survey, answered) => {
      requireManagement(survey, actor, 'change it');
      return edited(survey, edit, answered, now);
    });
    if (changed === null) throw new SurveyNotFoundError(surveyId);
    await this.announce(actor, changed);
    return changed.after;
  }

  private async announce(actor: UserActor, { before, after }: { before: Survey; after: Survey }): Promise<void> {
    const present = await this.presence.present(actor, after.id);
    const gone = shutOut(before, after, [...new Set([...before.members, ...present.map(({ userId }) => userId)])]);
    const closed = before.status === 'open' && after.status === 'closed';
    const whose = closed ? 'everybody' : gone;
    const freed = whose.length === 0 ? [] : await this.locks.forceAll(actor, after.id, whose);
    for (const fieldKey of freed) this.room.unlocked(after.id, fieldKey, 'forced');
    if (gone.length > 0) {
      await this.presence.departAll(actor, after.id, gone);
      this.room.shutOut(after.id, after.owner.tenantId, gone);
      for (const { userId, session } of present.filter((one) => gone.includes(one.userId))) {
        this.room.presence(after.id, 'leave', { userId, session, fieldKey: null });
      }
    }
    this.room.changed(after.id, after.rev);
  }
}

function checked({ title, description, fields, audience, members, status }: SurveyPatch): SurveyEdit {
  return {
    ...(title === undefined ? {} : { title: labelText('title', title, 255) }),
    ...(description === undefined ? {} : { description: optionalText('description', description, 4_000) }),
    ...(fields === undefined ? {} : { fields: surveyFields(fields) }),
    ...(audience === undefined ? {} : { audience }),
    ...(members === undefined ? {} : { members: membersOf(members) }),
    ...(status === undefined ? {} : { status }),
  };
}
