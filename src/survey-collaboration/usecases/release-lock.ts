// Use case. Ends the editing of a field. Ending what has ended is fine.
import type { UserActor } from '../../kernel/actor';
import type { LockBook } from '../ports/lock-book';
import type { SurveyRoom } from '../ports/survey-room';

export interface HeldField {
  readonly surveyId: string;
  readonly fieldKey: string;
  readonly session: string;
  readonly fence: number;
}

export class ReleaseLock {
  constructor(
    private readonly locks: LockBook,
    private readonly room: SurveyRoom,
  ) {}

  /** Whether there was something to release. */
  async run(actor: UserActor, { surveyId, fieldKey, session, fence }: HeldField): Promise<boolean> {
    const released = await this.locks.release(actor, surveyId, fieldKey, session, fence);
    if (released) {
      this.room.unlocked(surveyId, fieldKey, 'released');
      this.room.presence(surveyId, 'move', { userId: actor.userId, session, fieldKey: null });
    }
    return released;
  }
}
