// Domain rule. Whether an answer is written: decided on what is stored, under its lock, in one place for the socket and
// for HTTP.
import type { UserActor } from '../../kernel/actor';
import type { DomainError } from '../../kernel/domain-error';
import type { Answer, AnswerValue, AnswerVersion } from './answer';
import { answerValue } from './answer-value';
import {
  AnswerConflictError,
  FieldLockedError,
  FieldNotFoundError,
  LockLostError,
  NotYoursToManageError,
  OperationIdTakenError,
  SurveyClosedError,
  SurveyNotFoundError,
} from './errors';
import { type FieldLock, isHeldBy } from './lock';
import { mayFill, mayManage, type Survey } from './survey';

export interface AnswerWrite {
  readonly actor: UserActor;
  readonly surveyId: string;
  readonly fieldKey: string;
  readonly value: unknown;
  /** The version that the writer saw; null writes over whatever is there, for those who may. */
  readonly baseVersion: number | null;
  /** The same id again is the same change, written once. */
  readonly opId: string | null;
  /** The lock that the writer holds. Without one (over HTTP) nobody else may hold it. */
  readonly lock: { readonly session: string; readonly fence: number } | null;
}

/** What is stored at this moment, and stays so until the decision is. */
export interface WriteState {
  readonly survey: Survey | null;
  readonly answer: Answer | null;
  /** A live one. */
  readonly lock: FieldLock | null;
  /** What this operation id has written before. */
  readonly replay: AnswerVersion | null;
}

export type WriteDecision =
  | { readonly outcome: 'written'; readonly version: AnswerVersion }
  | { readonly outcome: 'replayed'; readonly version: AnswerVersion }
  | { readonly outcome: 'refused'; readonly error: DomainError };

export function decideWrite(write: AnswerWrite, state: WriteState, now: Date): WriteDecision {
  try {
    return state.replay === null
      ? { outcome: 'written', version: nextVersion(write, state, now) }
      : { outcome: 'replayed', version: sameChange(write, state, state.replay) };
  } catch (error) {
    return { outcome: 'refused', error: error as DomainError };
  }
}

/** Before anything else is looked at: the lock may be gone and the survey closed since, and the change is made. */
function sameChange(write: AnswerWrite, { survey }: WriteState, replay: AnswerVersion): AnswerVersion {
  if (survey === null || !mayFill(survey, write.actor)) throw new SurveyNotFoundError(write.surveyId);
  if (replay.fieldKey !== write.fieldKey || !sameValue(replay.value, write, survey)) throw new OperationIdTakenError();
  return replay;
}

function sameValue(kept: AnswerValue | null, { fieldKey, value }: AnswerWrite, survey: Survey): boolean {
  const field = survey.fields.find(({ key }) => key === fieldKey);
  return field !== undefined && JSON.stringify(answerValue(field, value)) === JSON.stringify(kept);
}

function nextVersion(write: AnswerWrite, { survey, answer, lock }: WriteState, now: Date): AnswerVersion {
  const { actor, surveyId, fieldKey, baseVersion } = write;
  if (survey === null || !mayFill(survey, actor)) throw new SurveyNotFoundError(surveyId);
  const field = survey.fields.find(({ key }) => key === fieldKey);
  if (field === undefined) throw new FieldNotFoundError(fieldKey);
  if (survey.status === 'closed') throw new SurveyClosedError();
  const value = answerValue(field, write.value);
  requireLock(write, lock);
  if (baseVersion === null && !mayManage(survey, actor)) throw new NotYoursToManageError('write over an answer unseen');
  const before = answer?.version ?? 0;
  if (baseVersion !== null && baseVersion !== before) throw new AnswerConflictError(answer);
  return {
    fieldKey,
    value,
    oldValue: answer?.value ?? null,
    version: before + 1,
    userId: actor.userId,
    updatedAt: now,
    rev: survey.rev + 1,
    overwrote: baseVersion === null,
  };
}

function requireLock({ actor, lock: shown }: AnswerWrite, lock: FieldLock | null): void {
  if (shown === null) {
    if (lock !== null) throw new FieldLockedError(lock.holder, lock.expiresAt);
    return;
  }
  if (lock === null) throw new LockLostError(null);
  const holder = { userId: actor.userId, session: shown.session };
  if (!isHeldBy(lock, holder)) throw new LockLostError(lock.holder);
  if (lock.fence !== shown.fence) throw new LockLostError(null);
}
