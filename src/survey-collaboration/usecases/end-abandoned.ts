// Use case. Ends the locks and the presence that nobody keeps any more, and says so.
import type { LockBook } from '../ports/lock-book';
import type { PresenceBook } from '../ports/presence-book';
import type { SurveyRoom } from '../ports/survey-room';

export class EndAbandoned {
  constructor(
    private readonly locks: LockBook,
    private readonly presence: PresenceBook,
    private readonly room: SurveyRoom,
  ) {}

  async run(): Promise<void> {
    for (const { surveyId, fieldKey, reason } of await this.locks.endExpired()) {
      this.room.unlocked(surveyId, fieldKey, reason);
    }
    for (const { surveyId, holder } of await this.presence.endAbsent()) {
      this.room.presence(surveyId, 'leave', { ...holder, fieldKey: null });
    }
  }
}
