// Use case. A page opens a survey, closes it, or loses its connection.
import type { UserActor } from '../../kernel/actor';
import type { Answer } from '../domain/answer';
import { SurveyNotFoundError } from '../domain/errors';
import type { FieldLock, Presence } from '../domain/lock';
import type { Survey } from '../domain/survey';
import type { AbandonedWatch } from '../ports/abandoned-watch';
import type { AnswerBook } from '../ports/answer-book';
import type { LockBook } from '../ports/lock-book';
import type { PresenceBook } from '../ports/presence-book';
import type { SurveyRepository } from '../ports/survey-repository';
import type { SurveyRoom } from '../ports/survey-room';

/** A page, and the line that it is connected by at the moment. */
export interface Line {
  readonly session: string;
  readonly connection: string;
}

export interface Attended {
  readonly survey: Survey;
  readonly answers: readonly Answer[];
  readonly locks: readonly FieldLock[];
  readonly present: readonly Presence[];
}

export class AttendSurvey {
  /** Lines of this process. */
  private readonly lines = new Set<string>();

  constructor(
    private readonly surveys: SurveyRepository,
    private readonly answers: AnswerBook,
    private readonly locks: LockBook,
    private readonly presence: PresenceBook,
    private readonly room: SurveyRoom,
    private readonly watch: AbandonedWatch,
  ) {}

  /** Whether any page is connected to this process. */
  get areConnected(): boolean {
    return this.lines.size > 0;
  }

  /**
   * `enter` puts the line into the room, after it is known that this person may, and before anything is read: what
   * changes from then on is heard, what changed before is read.
   * @param sinceRev the sequence number up to which the page knows the answers
   */
  async join(
    actor: UserActor,
    surveyId: string,
    line: Line,
    sinceRev: number,
    enter: () => Promise<void>,
  ): Promise<Attended> {
    if ((await this.surveys.find(actor, surveyId)) === null) throw new SurveyNotFoundError(surveyId);
    await enter();
    const first = !this.areConnected;
    this.lines.add(line.connection);
    await this.presence.arrive(actor, surveyId, line.session, line.connection);
    if (first) this.watch.rouse();
    await this.locks.lengthen(actor, surveyId, line.session);
    // Once more: its sequence number must be older than the answers, and whoever was shut out in between gets nothing.
    const survey = await this.surveys.find(actor, surveyId);
    if (survey === null) {
      await this.presence.depart(actor, surveyId, line.session);
      throw new SurveyNotFoundError(surveyId);
    }
    const answers = await this.answers.answers(actor, surveyId, sinceRev);
    const locks = await this.locks.live(actor, surveyId);
    const present = await this.presence.present(actor, surveyId);
    const { session } = line;
    const mine = present.find((one) => one.userId === actor.userId && one.session === session);
    this.room.presence(surveyId, 'join', { userId: actor.userId, session, fieldKey: mine?.fieldKey ?? null });
    return { survey, answers, locks, present };
  }

  /** At once: whoever leaves does not come back to what they held. */
  async leave(actor: UserActor, surveyId: string, session: string): Promise<void> {
    for (const fieldKey of await this.locks.releaseAll(actor, surveyId, session)) {
      this.room.unlocked(surveyId, fieldKey, 'released');
    }
    if (await this.presence.depart(actor, surveyId, session)) {
      this.room.presence(surveyId, 'leave', { userId: actor.userId, session, fieldKey: null });
    }
  }

  /** The line broke. The page may be back in a moment, on another one. */
  async lose(connection: string): Promise<void> {
    this.lines.delete(connection);
    const gone = await this.presence.shorten(connection);
    for (const { surveyId, holder } of gone) await this.locks.shorten(surveyId, holder);
    if (gone.length > 0) this.watch.rouse();
  }

  /** The lines of this process are alive. */
  async keepAlive(): Promise<void> {
    if (this.lines.size > 0) await this.presence.keep([...this.lines]);
  }
}
