// Many at one field at the same moment, on PostgreSQL, each on a connection of its own as on two instances.
import { SqlAnswerBook } from '../../../src/survey-collaboration/outbound/sql-answer-book';
import { SqlLockBook } from '../../../src/survey-collaboration/outbound/sql-lock-book';
import { SqlSurveyRepository } from '../../../src/survey-collaboration/outbound/sql-survey-repository';
import { LockLostError, SurveyClosedError } from '../../../src/survey-collaboration/domain/errors';
import type { Survey } from '../../../src/survey-collaboration/domain/survey';
import { blockedBackends } from '../../support/blocked-backends';
import { testDatabase, type TestDatabase } from '../../support/database';
import { HeldSessions, PERSON } from '../../support/held-sessions';
import { alice, aSurvey, aWrite, bob, NOON, person } from '../../support/surveys/survey-builder';

const POLICY = { ttlMs: 30_000, graceMs: 5_000 };
const BATCH = { windowMs: 1, max: 50 };
const EXPIRE = `update survey_locks set expires_at = clock_timestamp() - interval '1 second'`;

let database: TestDatabase;
let survey: Survey;
let locks: SqlLockBook;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 30 });
  locks = new SqlLockBook(database.sessions, POLICY);
});
afterAll(() => database.close());
beforeEach(async () => {
  survey = aSurvey({ audience: 'tenant' });
  await new SqlSurveyRepository(database.sessions).add(alice, survey);
});

const instance = () => {
  const sessions = new HeldSessions(database.source);
  return {
    sessions,
    answers: new SqlAnswerBook(sessions, POLICY, BATCH),
    locks: new SqlLockBook(sessions, POLICY),
    surveys: new SqlSurveyRepository(sessions),
  };
};
const racers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('of 50 that ask for a lock at once exactly one has it', () => {
  const race = () =>
    Promise.all(racers(50).map((n) => locks.take(person(`racer-${n}`), survey.id, 'name', `page-${n}`)));
  const winners = (answers: Awaited<ReturnType<typeof race>>) => answers.filter(({ outcome }) => outcome === 'taken');

  it('when nobody ever held it', async () => {
    const answers = await race();
    expect(winners(answers)).toMatchObject([{ lock: { fence: 1 } }]);
    const [winner] = winners(answers);
    expect(new Set(answers.map(({ lock }) => JSON.stringify(lock)))).toEqual(new Set([JSON.stringify(winner?.lock)]));
  });

  it('when it has expired, and the fence grows', async () => {
    await locks.take(bob, survey.id, 'name', 'page-1');
    await database.admin.query(EXPIRE);
    expect(winners(await race())).toMatchObject([{ lock: { fence: 2 } }]);
  });

  it('when it is swept in the same moment', async () => {
    await locks.take(bob, survey.id, 'name', 'page-1');
    await database.admin.query(EXPIRE);
    const [answers, ...ended] = await Promise.all([race(), ...racers(5).map(() => locks.endExpired())]);
    expect(winners(answers)).toHaveLength(1);
    const here = ended.flat().filter(({ surveyId }) => surveyId === survey.id);
    expect(here.length).toBeLessThanOrEqual(1);
    expect(await locks.live(alice, survey.id)).toMatchObject([{ fence: 2 }]);
  });
});

it('an expired lock is ended once, however many sweep', async () => {
  for (const key of ['name', 'budget', 'colour']) await locks.take(bob, survey.id, key, 'page-1');
  await database.admin.query(EXPIRE);
  const ended = (await Promise.all(racers(8).map(() => locks.endExpired()))).flat();
  expect(
    ended
      .filter(({ surveyId }) => surveyId === survey.id)
      .map(({ fieldKey }) => fieldKey)
      .sort(),
  ).toEqual(['budget', 'colour', 'name']);
});

it('of 50 writers on one version exactly one writes, over two instances', async () => {
  const [one, two] = [instance(), instance()];
  const decisions = await Promise.all(
    racers(50).map((n) => {
      const write = aWrite(survey.id, { actor: person(`racer-${n}`), value: `no ${n}`, opId: `op-${n}` });
      return (n % 2 === 0 ? one : two).answers.write(write, NOON);
    }),
  );
  expect(decisions.filter(({ outcome }) => outcome === 'written')).toHaveLength(1);
});

it('answers of many fields get sequence numbers without gap and fork, over two instances', async () => {
  const [one, two] = [instance(), instance()];
  const keys = ['name', 'budget', 'colour', 'launch_day'] as const;
  const values = { name: 'x', budget: 1, colour: 'red', launch_day: '2027-01-01' };
  for (const round of racers(5)) {
    const decisions = keys.map((fieldKey, index) =>
      (index % 2 === 0 ? one : two).answers.write(
        aWrite(survey.id, { fieldKey, value: values[fieldKey], baseVersion: round }),
        NOON,
      ),
    );
    expect((await Promise.all(decisions)).map(({ outcome }) => outcome)).toEqual(keys.map(() => 'written'));
  }
  const history = await one.answers.history(alice, survey.id, null, { limit: 100, before: null });
  expect(history.map(({ rev }) => rev)).toEqual(racers(20).map((n) => 20 - n));
  expect((await one.surveys.find(alice, survey.id))?.rev).toBe(20);
});

it('an operation that reaches both instances at once is written once', async () => {
  const write = aWrite(survey.id, { opId: 'op-1' });
  const decisions = await Promise.all([instance(), instance()].map(({ answers }) => answers.write(write, NOON)));
  expect(decisions.map(({ outcome }) => outcome).sort()).toEqual(['replayed', 'written']);
});

describe('a lock taken away while its holder writes', () => {
  const lock = { session: 'page-1', fence: 1 };

  it('waits for the answer that was decided under it', async () => {
    const [writer, manager] = [instance(), instance()];
    await locks.take(bob, survey.id, 'name', 'page-1');
    const held = writer.sessions.holdNext('surveys: answers');
    const writing = writer.answers.write(aWrite(survey.id, { lock }), NOON);
    await held.reached;
    const forcing = manager.locks.force(alice, survey.id, 'name');
    await blockedBackends(database, 1);
    held.release();
    expect(await writing).toMatchObject({ outcome: 'written' });
    expect(await forcing).toMatchObject({ holder: { userId: 'bob' } });
  });

  it('and when it comes first, the answer is refused', async () => {
    const [writer, manager] = [instance(), instance()];
    await locks.take(bob, survey.id, 'name', 'page-1');
    const held = manager.sessions.holdNext(PERSON);
    const forcing = manager.locks.force(alice, survey.id, 'name');
    await held.reached;
    const writing = writer.answers.write(aWrite(survey.id, { lock }), NOON);
    await blockedBackends(database, 1);
    held.release();
    await forcing;
    expect(await writing).toMatchObject({ outcome: 'refused', error: expect.any(LockLostError) });
  });
});

it('a survey that is closed in the same moment takes no further answer', async () => {
  const [writer, owner] = [instance(), instance()];
  const held = owner.sessions.holdNext(PERSON);
  const closing = owner.surveys.change(alice, survey.id, (before) => {
    return { ...before, status: 'closed', rev: before.rev + 1 };
  });
  await held.reached;
  const writing = writer.answers.write(aWrite(survey.id), NOON);
  await blockedBackends(database, 1);
  held.release();
  await closing;
  expect(await writing).toMatchObject({ outcome: 'refused', error: expect.any(SurveyClosedError) });
});
