// Use case. Ends the locks and the presence that nobody keeps any more, and says so. It looks when the first of them would
// end. While somebody is connected here it also looks once in the life of a lock: then none can be taken and end, in any
// process, without having been seen. Where nobody is connected there is nobody to tell.
import type { LockPolicy } from '../domain/lock';
import type { LockBook } from '../ports/lock-book';
import type { PresenceBook } from '../ports/presence-book';
import type { SurveyRoom } from '../ports/survey-room';

export class EndAbandoned {
  constructor(
    private readonly locks: LockBook,
    private readonly presence: PresenceBook,
    private readonly room: SurveyRoom,
    private readonly pages: { readonly areConnected: boolean },
    private readonly policy: Pick<LockPolicy, 'ttlMs'>,
  ) {}

  /** Answers when to look again; null: when somebody comes. */
  async run(now: Date): Promise<Date | null> {
    let next = await this.nextEnd();
    if (next !== null && next <= now.getTime()) {
      for (const { surveyId, fieldKey, reason } of await this.locks.endExpired()) {
        this.room.unlocked(surveyId, fieldKey, reason);
      }
      for (const { surveyId, holder } of await this.presence.endAbsent()) {
        this.room.presence(surveyId, 'leave', { ...holder, fieldKey: null });
      }
      next = await this.nextEnd();
    }
    const regular = this.pages.areConnected ? now.getTime() + this.policy.ttlMs : null;
    const instants = [next, regular].filter((at) => at !== null);
    return instants.length === 0 ? null : new Date(Math.min(...instants));
  }

  private async nextEnd(): Promise<number | null> {
    const ends = [await this.locks.nextEnd(), await this.presence.nextEnd()].filter((at) => at !== null);
    return ends.length === 0 ? null : Math.min(...ends.map((at) => at.getTime()));
  }
}
