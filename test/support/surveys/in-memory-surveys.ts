// Test support. All that surveys store, in memory, as the ports promise it. Its clock is set by the test.
/* eslint-disable @typescript-eslint/require-await -- what the ports promise, nothing has to be waited for */
import type { UserActor } from '../../../src/kernel/actor';
import type { Answer, AnswerVersion } from '../../../src/survey-collaboration/domain/answer';
import type { HistoryPage, SurveyFilter, SurveyPage } from '../../../src/survey-collaboration/domain/listing';
import {
  type FieldLock,
  isHeldBy,
  type LockHolder,
  type LockPolicy,
  type Presence,
  type UnlockReason,
} from '../../../src/survey-collaboration/domain/lock';
import { mayFill, type Survey } from '../../../src/survey-collaboration/domain/survey';
import { type AnswerWrite, decideWrite, type WriteDecision } from '../../../src/survey-collaboration/domain/write';
import type { AnswerBook } from '../../../src/survey-collaboration/ports/answer-book';
import type { EndedLock, LockBook, LockTaken } from '../../../src/survey-collaboration/ports/lock-book';
import type { Attendance, PresenceBook } from '../../../src/survey-collaboration/ports/presence-book';
import type { Change, SurveyRepository } from '../../../src/survey-collaboration/ports/survey-repository';

interface KeptLock extends FieldLock {
  readonly surveyId: string;
  readonly held: boolean;
  readonly announcedAt: number;
  readonly endsAs: UnlockReason;
}

interface KeptPresence extends Attendance {
  connection: string;
  seenUntil: number;
}

export class InMemorySurveys {
  now = new Date(0);
  readonly surveys = new Map<string, Survey>();
  readonly versions: (AnswerVersion & { surveyId: string; opId: string | null })[] = [];
  private locks = new Map<string, KeptLock>();
  private presence: KeptPresence[] = [];

  constructor(private readonly policy: LockPolicy) {}

  private get ms(): number {
    return this.now.getTime();
  }

  private visible(actor: UserActor, id: string): Survey | null {
    const survey = this.surveys.get(id);
    return survey !== undefined && mayFill(survey, actor) ? survey : null;
  }

  readonly repository: SurveyRepository = {
    add: async (_actor, survey) => void this.surveys.set(survey.id, survey),
    find: async (actor, id) => this.visible(actor, id),
    list: async (actor: UserActor, { status, text }: SurveyFilter, { limit, after }: SurveyPage) =>
      [...this.surveys.values()]
        .filter((survey) => mayFill(survey, actor) && (status === undefined || survey.status === status))
        .filter(({ title }) => text === undefined || title.toLowerCase().includes(text.toLowerCase()))
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
        .filter(({ createdAt, id }) => after === undefined || createdAt < after.createdAt || id < after.id)
        .slice(0, limit),
    change: async (actor: UserActor, id: string, change: Change) => {
      const before = this.visible(actor, id);
      if (before === null) return null;
      const answered = this.versions.filter(({ surveyId }) => surveyId === id).map(({ fieldKey }) => fieldKey);
      const after = change(before, new Set(answered));
      this.surveys.set(id, after);
      return { before, after };
    },
    discard: async (actor, id) => void (this.visible(actor, id) && this.surveys.delete(id)),
  };

  readonly answers: AnswerBook = {
    answers: async (_actor: UserActor, id: string, sinceRev: number) =>
      [...this.newest(id).values()].filter(({ rev }) => rev > sinceRev).sort((a, b) => a.rev - b.rev),
    history: async (_actor: UserActor, id: string, key: string | null, { limit, before }: HistoryPage) =>
      this.versions
        .filter(({ surveyId, fieldKey }) => surveyId === id && (key === null || fieldKey === key))
        .filter(({ rev }) => before === null || rev < before)
        .sort((a, b) => b.rev - a.rev)
        .slice(0, limit)
        .map(bare),
    write: async (write: AnswerWrite, now: Date): Promise<WriteDecision> => {
      const { surveyId, fieldKey, opId, actor } = write;
      const found = this.versions.find((one) => {
        return one.surveyId === surveyId && one.opId === opId && one.userId === actor.userId;
      });
      const lock = this.live(surveyId).find((one) => one.fieldKey === fieldKey) ?? null;
      const state = {
        survey: this.surveys.get(surveyId) ?? null,
        answer: this.newest(surveyId).get(fieldKey) ?? null,
        lock,
        replay: opId === null || found === undefined ? null : bare(found),
      };
      const decision = decideWrite(write, state, now);
      if (decision.outcome !== 'written') return decision;
      this.versions.push({ ...decision.version, surveyId, opId });
      this.surveys.set(surveyId, { ...state.survey!, rev: decision.version.rev });
      if (write.lock !== null) this.keep(surveyId, { ...this.at(surveyId, fieldKey)!, ...this.fresh() });
      return decision;
    },
    drain: () => Promise.resolve(),
  };

  readonly lockBook: LockBook = {
    take: async (actor: UserActor, id: string, fieldKey: string, session: string): Promise<LockTaken> => {
      const holder = { userId: actor.userId, session };
      const old = this.at(id, fieldKey);
      const live = old !== undefined && old.held && old.expiresAt > this.now;
      if (live && !isHeldBy(old, holder)) return { outcome: 'held', lock: bareLock(old) };
      const silent = live && old.endsAs === 'expired' && old.announcedAt > this.ms - this.policy.ttlMs / 2;
      const fence = (old?.fence ?? 0) + (live ? 0 : 1);
      const lock = { surveyId: id, fieldKey, holder, fence, held: true, ...this.fresh() };
      this.keep(id, { ...lock, announcedAt: silent ? old.announcedAt : this.ms });
      return { outcome: 'taken', lock: bareLock(this.at(id, fieldKey)!), announce: !silent };
    },
    release: async (actor, id, fieldKey, session, fence) => {
      const old = this.at(id, fieldKey);
      if (!old?.held || !isHeldBy(old, { userId: actor.userId, session }) || old.fence !== fence) return false;
      this.keep(id, { ...old, held: false });
      return true;
    },
    releaseAll: async (actor, id, session) => this.end(id, (lock) => isHeldBy(lock, { userId: actor.userId, session })),
    force: async (_actor, id, fieldKey) => {
      const lock = this.live(id).find((one) => one.fieldKey === fieldKey);
      if (lock === undefined) return null;
      this.keep(id, { ...this.at(id, fieldKey)!, held: false });
      return lock;
    },
    forceAll: async (_actor, id, userIds) =>
      this.end(id, ({ holder, expiresAt }) => {
        return expiresAt > this.now && (userIds === 'everybody' || userIds.includes(holder.userId));
      }),
    live: async (_actor, id) => this.live(id),
    shorten: async (id: string, holder: LockHolder) => {
      for (const lock of this.live(id).filter((one) => isHeldBy(one, holder))) {
        const expiresAt = new Date(Math.min(lock.expiresAt.getTime(), this.ms + this.policy.graceMs));
        this.keep(id, { ...this.at(id, lock.fieldKey)!, expiresAt, endsAs: 'disconnected' });
      }
    },
    lengthen: async (actor, id, session) => {
      for (const lock of this.live(id).filter((one) => isHeldBy(one, { userId: actor.userId, session }))) {
        this.keep(id, { ...this.at(id, lock.fieldKey)!, ...this.fresh() });
      }
    },
    nextEnd: async () =>
      soonest([...this.locks.values()].filter(({ held }) => held).map(({ expiresAt }) => expiresAt.getTime())),
    endExpired: async (): Promise<EndedLock[]> => {
      const due = [...this.locks.values()].filter(({ held, expiresAt }) => held && expiresAt <= this.now);
      for (const lock of due) this.keep(lock.surveyId, { ...lock, held: false });
      return due.map(({ surveyId, fieldKey, endsAs }) => ({ surveyId, fieldKey, reason: endsAs }));
    },
  };

  readonly presenceBook: PresenceBook = {
    arrive: async (actor, surveyId, session, connection) => {
      await this.presenceBook.depart(actor, surveyId, session);
      const holder = { userId: actor.userId, session };
      this.presence.push({ surveyId, holder, connection, seenUntil: this.ms + this.policy.presenceTtlMs });
    },
    depart: async (actor, id, session) =>
      this.forget(({ surveyId, holder }) => {
        return surveyId === id && holder.userId === actor.userId && holder.session === session;
      }).length > 0,
    departAll: async (_actor, id, userIds) =>
      void this.forget(({ surveyId, holder }) => surveyId === id && userIds.includes(holder.userId)),
    present: async (_actor, id): Promise<Presence[]> =>
      this.presence
        .filter(({ surveyId, seenUntil }) => surveyId === id && seenUntil > this.ms)
        .map(({ holder }) => {
          const lock = this.live(id).find((one) => isHeldBy(one, holder));
          return { ...holder, fieldKey: lock?.fieldKey ?? null };
        })
        .sort((a, b) => (`${a.userId} ${a.session}` < `${b.userId} ${b.session}` ? -1 : 1)),
    shorten: async (connection) => {
      const lost = this.presence.filter((one) => one.connection === connection);
      for (const one of lost) one.seenUntil = Math.min(one.seenUntil, this.ms + this.policy.graceMs);
      return lost.map(({ surveyId, holder }) => ({ surveyId, holder }));
    },
    keep: async (connections) => {
      for (const one of this.presence.filter(({ connection }) => connections.includes(connection))) {
        one.seenUntil = this.ms + this.policy.presenceTtlMs;
      }
    },
    nextEnd: async () => soonest(this.presence.map(({ seenUntil }) => seenUntil)),
    endAbsent: async () => this.forget(({ seenUntil }) => seenUntil <= this.ms),
  };

  private newest(id: string): Map<string, Answer> {
    const own = this.versions.filter(({ surveyId }) => surveyId === id);
    return new Map(
      own.map(({ surveyId: _s, opId: _o, oldValue: _v, overwrote: _w, ...answer }) => [answer.fieldKey, answer]),
    );
  }

  private at(id: string, fieldKey: string): KeptLock | undefined {
    return this.locks.get(`${id} ${fieldKey}`);
  }

  private keep(id: string, lock: KeptLock): void {
    this.locks.set(`${id} ${lock.fieldKey}`, lock);
  }

  private fresh(): { expiresAt: Date; endsAs: UnlockReason } {
    return { expiresAt: new Date(this.ms + this.policy.ttlMs), endsAs: 'expired' };
  }

  private live(id: string): FieldLock[] {
    return [...this.locks.values()]
      .filter(({ surveyId, held, expiresAt }) => surveyId === id && held && expiresAt > this.now)
      .map(bareLock)
      .sort((a, b) => (a.fieldKey < b.fieldKey ? -1 : 1));
  }

  private end(id: string, which: (lock: KeptLock) => boolean): string[] {
    const ending = [...this.locks.values()].filter((lock) => lock.surveyId === id && lock.held && which(lock));
    for (const lock of ending) this.keep(id, { ...lock, held: false });
    return ending.map(({ fieldKey }) => fieldKey).sort();
  }

  private forget(which: (one: KeptPresence) => boolean): Attendance[] {
    const gone = this.presence.filter(which);
    this.presence = this.presence.filter((one) => !gone.includes(one));
    return gone.map(({ surveyId, holder }) => ({ surveyId, holder }));
  }
}

function bareLock({ fieldKey, holder, fence, expiresAt }: KeptLock): FieldLock {
  return { fieldKey, holder, fence, expiresAt };
}

function bare({
  surveyId: _survey,
  opId: _op,
  ...version
}: AnswerVersion & { surveyId: string; opId: string | null }): AnswerVersion {
  return version;
}

function soonest(ends: readonly number[]): Date | null {
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}
