import {
  AnswerConflictError,
  FieldAnsweredError,
  FieldLockedError,
  FieldNotFoundError,
  InvalidAnswerError,
  LockLostError,
  NotYoursToManageError,
  OperationIdTakenError,
  SurveyClosedError,
  SurveyNotFoundError,
} from '../../../src/survey-collaboration/domain/errors';
import type { FieldLock } from '../../../src/survey-collaboration/domain/lock';
import { edited, mayFill, mayManage, openQuestions, shutOut } from '../../../src/survey-collaboration/domain/survey';
import { type AnswerWrite, decideWrite, type WriteState } from '../../../src/survey-collaboration/domain/write';
import {
  alice,
  aSurvey,
  aWrite,
  bob,
  carol,
  later,
  manager,
  NOON,
  stranger,
} from '../../support/surveys/survey-builder';

const survey = aSurvey({ rev: 6 });
const answer = { fieldKey: 'name', value: 'Old', version: 3, userId: 'alice', updatedAt: NOON, rev: 5 };
const lock: FieldLock = {
  fieldKey: 'name',
  holder: { userId: 'bob', session: 'page-1' },
  fence: 7,
  expiresAt: later(9),
};
const mine = { session: 'page-1', fence: 7 };

const decide = (write: Partial<AnswerWrite>, state: Partial<WriteState> = {}) =>
  decideWrite(
    aWrite(survey.id, { baseVersion: 3, ...write }),
    { survey, answer, lock: null, replay: null, ...state },
    NOON,
  );

describe('an answer', () => {
  it('is the next version and the next of the survey, and keeps what was there', () => {
    expect(decide({})).toEqual({
      outcome: 'written',
      version: {
        fieldKey: 'name',
        value: 'Horarium',
        oldValue: 'Old',
        version: 4,
        userId: 'bob',
        updatedAt: NOON,
        rev: 7,
        overwrote: false,
      },
    });
  });

  it.each<[string, Partial<AnswerWrite>, Partial<WriteState>, unknown]>([
    ['no survey', {}, { survey: null }, SurveyNotFoundError],
    ['no member', { actor: carol }, {}, SurveyNotFoundError],
    ['another tenant', { actor: stranger }, {}, SurveyNotFoundError],
    ['a closed survey', {}, { survey: { ...survey, status: 'closed' } }, SurveyClosedError],
    ['no such field', { fieldKey: 'size' }, {}, FieldNotFoundError],
    ['another type', { value: 5 }, {}, InvalidAnswerError],
    ['an old version', { baseVersion: 2 }, {}, AnswerConflictError],
    ['a version that never was', { baseVersion: 4 }, {}, AnswerConflictError],
    ['unseen, by a member', { baseVersion: null }, {}, NotYoursToManageError],
    ['no lock shown, one held', {}, { lock }, FieldLockedError],
    ['no lock shown, even one’s own', { actor: bob }, { lock }, FieldLockedError],
    ['a lock shown, none held', { lock: mine }, {}, LockLostError],
    ['another page’s', { lock: { ...mine, session: 'page-2' } }, { lock }, LockLostError],
    ['another person’s page', { lock: mine, actor: alice }, { lock }, LockLostError],
    ['an old fence', { lock: { ...mine, fence: 6 } }, { lock }, LockLostError],
  ])('is refused: %s', (_, write, state, error) => {
    expect(decide(write, state)).toEqual({ outcome: 'refused', error: expect.any(error) });
  });

  it('is written under the lock that is held', () => {
    expect(decide({ lock: mine }, { lock })).toMatchObject({ outcome: 'written' });
  });

  it('is written over anything by those who may, which the history shows', () => {
    for (const actor of [alice, manager]) {
      expect(decide({ actor, baseVersion: null })).toMatchObject({ version: { version: 4, overwrote: true } });
    }
  });

  it('asked for again under its operation id is the same, whatever has become of lock and survey', () => {
    const replay = { ...answer, value: 'Horarium', oldValue: null, overwrote: false };
    const closed = { ...survey, status: 'closed' } as const;
    const again = { opId: 'op-1', lock: { ...mine, fence: 1 } };
    expect(decide(again, { replay, survey: closed })).toEqual({ outcome: 'replayed', version: replay });
    const other = { outcome: 'refused', error: expect.any(OperationIdTakenError) };
    expect(decide({ ...again, value: 'other' }, { replay })).toEqual(other);
    expect(decide({ ...again, fieldKey: 'budget' }, { replay })).toEqual(other);
    expect(decide({ ...again, actor: carol }, { replay })).toMatchObject({ error: expect.any(SurveyNotFoundError) });
  });
});

describe('a survey', () => {
  it.each([
    [alice, true, true],
    [bob, true, false],
    [carol, false, false],
    [manager, true, true],
    [stranger, false, false],
  ])('%#: who may fill and who may manage it', (actor, fills, manages) => {
    expect([mayFill(survey, actor), mayManage(survey, actor)]).toEqual([fills, manages]);
  });

  it('loses no field that was answered, and may lose others', () => {
    const [name, ...rest] = survey.fields;
    const answered = new Set(['name']);
    expect(() => edited(survey, { fields: rest }, answered, NOON)).toThrow(FieldAnsweredError);
    const bent = [{ ...name!, type: 'date' as const }, ...rest];
    expect(() => edited(survey, { fields: bent }, answered, NOON)).toThrow(FieldAnsweredError);
    expect(edited(survey, { fields: [{ ...name!, label: 'New' }] }, answered, NOON)).toMatchObject({ rev: 7 });
  });

  it('shuts out whom it loses: members left out, and everybody when it is closed to the tenant', () => {
    const others = ['alice', 'bob', 'carol'];
    expect(shutOut(survey, { ...survey, members: [] }, others)).toEqual(['bob']);
    expect(shutOut({ ...survey, audience: 'tenant' }, survey, others)).toEqual(['carol']);
  });

  it('misses the required fields that nobody answered, or that were taken back', () => {
    expect(openQuestions(survey, [answer])).toEqual(['launch_day']);
    expect(openQuestions(survey, [{ fieldKey: 'name', value: null }])).toEqual(['name', 'launch_day']);
  });
});
