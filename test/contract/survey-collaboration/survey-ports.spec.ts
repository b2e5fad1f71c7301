// The promises of the four ports that surveys are kept by: in memory, which use cases are tested with, and on PostgreSQL.
import { SqlAnswerBook } from '../../../src/survey-collaboration/outbound/sql-answer-book';
import { SqlLockBook } from '../../../src/survey-collaboration/outbound/sql-lock-book';
import { SqlPresenceBook } from '../../../src/survey-collaboration/outbound/sql-presence-book';
import { SqlSurveyRepository } from '../../../src/survey-collaboration/outbound/sql-survey-repository';
import type { AnswerBook } from '../../../src/survey-collaboration/ports/answer-book';
import type { LockBook } from '../../../src/survey-collaboration/ports/lock-book';
import type { PresenceBook } from '../../../src/survey-collaboration/ports/presence-book';
import type { SurveyRepository } from '../../../src/survey-collaboration/ports/survey-repository';
import {
  AnswerConflictError,
  FieldLockedError,
  LockLostError,
  NotYoursToManageError,
  SurveyClosedError,
  SurveyNotFoundError,
} from '../../../src/survey-collaboration/domain/errors';
import type { Survey } from '../../../src/survey-collaboration/domain/survey';
import { testDatabase, type TestDatabase } from '../../support/database';
import { InMemorySurveys } from '../../support/surveys/in-memory-surveys';
import {
  alice,
  aSurvey,
  aWrite,
  bob,
  carol,
  later,
  manager,
  NOON,
  person,
  stranger,
} from '../../support/surveys/survey-builder';

const POLICY = { ttlMs: 30_000, graceMs: 5_000, presenceTtlMs: 30_000 };

interface House {
  readonly surveys: SurveyRepository;
  readonly answers: AnswerBook;
  readonly locks: LockBook;
  readonly presence: PresenceBook;
  setClock(now: Date): Promise<void>;
}

function promises(houseOf: () => House): void {
  let house: House;
  let survey: Survey;
  beforeAll(() => (house = houseOf()));
  beforeEach(async () => {
    await house.setClock(NOON);
    survey = aSurvey();
    await house.surveys.add(alice, survey);
  });
  const taken = async (by = bob, key = 'name', session = 'page-1') => {
    const answer = await house.locks.take(by, survey.id, key, session);
    if (answer.outcome !== 'taken') throw new Error('held');
    return answer.lock;
  };
  const refusal = async (...args: Parameters<AnswerBook['write']>) => {
    const decision = await house.answers.write(...args);
    return decision.outcome === 'refused' ? decision.error : decision;
  };

  describe('surveys', () => {
    it('come back exactly as they were drawn up', async () => {
      expect(await house.surveys.find(alice, survey.id)).toEqual(survey);
    });

    it('are seen by their owner, members and managers, and by nobody else', async () => {
      const seen = [alice, bob, carol, manager, stranger].map(async (actor) => house.surveys.find(actor, survey.id));
      expect((await Promise.all(seen)).map((found) => found !== null)).toEqual([true, true, false, true, false]);
      const open = aSurvey({ audience: 'tenant', members: [], createdAt: NOON });
      await house.surveys.add(alice, open);
      expect(await house.surveys.find(carol, open.id)).toEqual(open);
      expect(await house.surveys.find(stranger, open.id)).toBeNull();
    });

    it('are listed newest first, page by page', async () => {
      const dora = person('dora');
      const three = [1, 2, 3].map((n) => aSurvey({ owner: { tenantId: 1, userId: 'dora' }, title: `100% no ${n}` }));
      for (const one of three) await house.surveys.add(dora, one);
      const first = await house.surveys.list(dora, {}, { limit: 2 });
      expect(first.map(({ id }) => id)).toEqual([three[2]!.id, three[1]!.id]);
      const rest = await house.surveys.list(dora, {}, { limit: 1, after: first[1]! });
      expect(rest.map(({ id }) => id)).toEqual([three[0]!.id]);
      const found = await house.surveys.list(dora, { text: '0% NO 2', status: 'open' }, { limit: 9 });
      expect(found.map(({ id }) => id)).toEqual([three[1]!.id]);
    });

    it('are changed under one lock, with the keys that were ever answered', async () => {
      await house.answers.write(aWrite(survey.id), NOON);
      await house.answers.write(aWrite(survey.id, { value: null, baseVersion: 1 }), NOON);
      const change = jest.fn((before: Survey) => ({ ...before, title: 'Other', rev: before.rev + 1 }));
      const changed = await house.surveys.change(bob, survey.id, change);
      expect(change.mock.calls[0]).toEqual([{ ...survey, rev: 2 }, new Set(['name'])]);
      expect(changed?.after).toEqual({ ...survey, title: 'Other', rev: 3 });
      expect(await house.surveys.find(bob, survey.id)).toEqual(changed?.after);
      expect(await house.surveys.change(carol, survey.id, change)).toBeNull();
    });

    it('nothing is written when the change is refused', async () => {
      const refuse = (): never => {
        throw new NotYoursToManageError('change it');
      };
      await expect(house.surveys.change(bob, survey.id, refuse)).rejects.toBeInstanceOf(NotYoursToManageError);
      expect(await house.surveys.find(bob, survey.id)).toEqual(survey);
    });

    it('are gone when they are discarded', async () => {
      await house.surveys.discard(alice, survey.id, NOON);
      expect(await house.surveys.find(alice, survey.id)).toBeNull();
      expect(await refusal(aWrite(survey.id), NOON)).toBeInstanceOf(SurveyNotFoundError);
    });
  });

  describe('answers', () => {
    it('have every version, with who and when and what was there', async () => {
      const values = ["'; drop table surveys; --", '日本 😀 \\ {"a":1}\nline', null];
      for (const [baseVersion, value] of values.entries()) {
        const decision = await house.answers.write(aWrite(survey.id, { value, baseVersion }), later(baseVersion));
        expect(decision.outcome).toBe('written');
      }
      const [newest, ...older] = await house.answers.history(bob, survey.id, 'name', { limit: 9, before: null });
      expect(newest).toEqual({
        fieldKey: 'name',
        value: null,
        oldValue: values[1],
        version: 3,
        userId: 'bob',
        updatedAt: later(2),
        rev: 3,
        overwrote: false,
      });
      expect(older.map(({ oldValue, value }) => [oldValue, value])).toEqual([
        [values[0], values[1]],
        [null, values[0]],
      ]);
      expect(await house.answers.history(bob, survey.id, null, { limit: 1, before: 3 })).toEqual([older[0]]);
      expect(await house.answers.history(bob, survey.id, 'budget', { limit: 9, before: null })).toEqual([]);
    });

    it('of every type come back as they were given', async () => {
      const given = {
        budget: 12.5,
        colour: 'green',
        launch_day: '2028-02-29',
        contract: { file_id: 'f-1', name: 'a "b".pdf' },
      };
      for (const [fieldKey, value] of Object.entries(given))
        await house.answers.write(aWrite(survey.id, { fieldKey, value }), NOON);
      const answers = await house.answers.answers(bob, survey.id, 0);
      expect(Object.fromEntries(answers.map(({ fieldKey, value }) => [fieldKey, value]))).toEqual(given);
      expect((await house.answers.answers(bob, survey.id, 2)).map(({ rev }) => rev)).toEqual([3, 4]);
    });

    it('are refused on an old version, and nothing is written', async () => {
      await house.answers.write(aWrite(survey.id), NOON);
      const error = await refusal(aWrite(survey.id, { value: 'other' }), NOON);
      expect(error).toBeInstanceOf(AnswerConflictError);
      expect(error).toMatchObject({ current: { version: 1, value: 'Horarium', userId: 'bob' } });
      expect((await house.surveys.find(bob, survey.id))?.rev).toBe(1);
    });

    it('with the same op_id are written once, also at the same moment, and also after the survey was closed', async () => {
      const write = aWrite(survey.id, { opId: 'op-1' });
      const twice = await Promise.all([house.answers.write(write, NOON), house.answers.write(write, later(1))]);
      expect(twice.map(({ outcome }) => outcome)).toEqual(['written', 'replayed']);
      await house.surveys.change(alice, survey.id, (before) => ({ ...before, status: 'closed', rev: before.rev + 1 }));
      expect(await house.answers.write(write, later(2))).toEqual({ ...twice[0], outcome: 'replayed' });
      expect(await refusal(aWrite(survey.id, { opId: 'op-2', baseVersion: 1 }), NOON)).toBeInstanceOf(
        SurveyClosedError,
      );
      expect(await house.answers.history(bob, survey.id, null, { limit: 9, before: null })).toHaveLength(1);
    });

    it('of somebody else may have the same op_id', async () => {
      await house.answers.write(aWrite(survey.id, { opId: 'op-1' }), NOON);
      const hers = aWrite(survey.id, { opId: 'op-1', actor: alice, fieldKey: 'budget', value: 5 });
      expect(await house.answers.write(hers, NOON)).toMatchObject({ outcome: 'written', version: { rev: 2 } });
    });

    it('that arrive together are decided one after the other', async () => {
      const writes = [1, 2, 3, 4, 5].map((n) => house.answers.write(aWrite(survey.id, { value: `no ${n}` }), NOON));
      const outcomes = (await Promise.all(writes)).map(({ outcome }) => outcome);
      expect(outcomes).toEqual(['written', 'refused', 'refused', 'refused', 'refused']);
      const more = ['budget', 'name'].map((fieldKey, index) =>
        house.answers.write(aWrite(survey.id, { fieldKey, value: index === 0 ? 1 : 'x', baseVersion: index }), NOON),
      );
      expect((await Promise.all(more)).map((one) => one.outcome === 'written' && one.version.rev)).toEqual([2, 3]);
    });

    it('are nobody else’s to give', async () => {
      for (const actor of [carol, stranger]) {
        expect(await refusal(aWrite(survey.id, { actor }), NOON)).toBeInstanceOf(SurveyNotFoundError);
      }
    });
  });

  describe('a lock', () => {
    it('is one holder’s: a page, not a person, and not a page without its person', async () => {
      const lock = await taken();
      expect(lock).toMatchObject({ fieldKey: 'name', holder: { userId: 'bob', session: 'page-1' }, fence: 1 });
      expect(lock.expiresAt).toEqual(later(30));
      for (const [actor, session] of [
        [alice, 'page-2'],
        [alice, 'page-1'],
        [bob, 'page-2'],
      ] as const) {
        expect(await house.locks.take(actor, survey.id, 'name', session)).toEqual({ outcome: 'held', lock });
      }
      expect(await house.locks.live(alice, survey.id)).toEqual([lock]);
    });

    it('is renewed by asking again, under the same fence, and announced at half of its time only', async () => {
      await taken();
      await house.setClock(later(10));
      expect(await house.locks.take(bob, survey.id, 'name', 'page-1')).toMatchObject({
        announce: false,
        lock: { fence: 1, expiresAt: later(40) },
      });
      await house.setClock(later(16));
      expect(await house.locks.take(bob, survey.id, 'name', 'page-1')).toMatchObject({ announce: true });
    });

    it('changes hands with a greater fence, over expiry, release and force', async () => {
      expect((await taken()).fence).toBe(1);
      await house.setClock(later(30));
      expect((await taken(alice)).fence).toBe(2);
      expect(await house.locks.release(alice, survey.id, 'name', 'page-1', 1)).toBe(false);
      expect(await house.locks.release(bob, survey.id, 'name', 'page-1', 2)).toBe(false);
      expect(await house.locks.release(alice, survey.id, 'name', 'page-1', 2)).toBe(true);
      expect(await house.locks.release(alice, survey.id, 'name', 'page-1', 2)).toBe(false);
      expect((await taken(bob)).fence).toBe(3);
      expect(await house.locks.force(alice, survey.id, 'name')).toMatchObject({ holder: { userId: 'bob' } });
      expect(await house.locks.force(alice, survey.id, 'name')).toBeNull();
      expect((await taken(bob)).fence).toBe(4);
    });

    it('lets its holder write, is renewed by that, and keeps others from it', async () => {
      const { fence } = await taken();
      const lock = { session: 'page-1', fence };
      await house.setClock(later(20));
      expect(await house.answers.write(aWrite(survey.id, { lock }), NOON)).toMatchObject({ outcome: 'written' });
      expect((await house.locks.live(bob, survey.id))[0]?.expiresAt).toEqual(later(50));
      const others = [
        aWrite(survey.id, { baseVersion: 1, actor: alice, lock }),
        aWrite(survey.id, { baseVersion: 1, lock: { session: 'page-2', fence } }),
        aWrite(survey.id, { baseVersion: 1, lock: { session: 'page-1', fence: fence + 1 } }),
      ];
      for (const write of others) expect(await refusal(write, NOON)).toBeInstanceOf(LockLostError);
      expect(await refusal(aWrite(survey.id, { baseVersion: 1 }), NOON)).toBeInstanceOf(FieldLockedError);
    });

    it('lets nobody write any more when it has expired, whoever has it since', async () => {
      const { fence } = await taken();
      const late = aWrite(survey.id, { lock: { session: 'page-1', fence } });
      await house.setClock(later(31));
      expect(await refusal(late, NOON)).toMatchObject({ holder: null });
      await taken(alice);
      expect(await refusal(late, NOON)).toMatchObject({ holder: { userId: 'alice' } });
    });

    it('ends once when it has expired', async () => {
      await house.setClock(later(86_400));
      await house.locks.endExpired();
      await house.setClock(NOON);
      await taken();
      await taken(bob, 'budget');
      await house.setClock(later(29));
      expect(await house.locks.endExpired()).toEqual([]);
      await house.setClock(later(30));
      const ended = await house.locks.endExpired();
      expect(ended.map(({ fieldKey, reason }) => [fieldKey, reason]).sort()).toEqual([
        ['budget', 'expired'],
        ['name', 'expired'],
      ]);
      expect(await house.locks.endExpired()).toEqual([]);
    });

    it('says when the first of all ends', async () => {
      await house.setClock(later(86_400));
      await house.locks.endExpired();
      expect(await house.locks.nextEnd()).toBeNull();
      await house.setClock(NOON);
      await taken();
      await house.setClock(later(10));
      await taken(bob, 'budget');
      expect(await house.locks.nextEnd()).toEqual(later(30));
      await taken();
      expect(await house.locks.nextEnd()).toEqual(later(40));
      await house.locks.releaseAll(bob, survey.id, 'page-1');
      expect(await house.locks.nextEnd()).toBeNull();
    });

    it('has five seconds left when the line of its holder broke, unless the page comes back', async () => {
      await taken();
      await house.locks.shorten(survey.id, { userId: 'bob', session: 'page-1' });
      await house.setClock(later(4));
      expect(await house.locks.live(bob, survey.id)).toMatchObject([{ expiresAt: later(5) }]);
      await house.locks.lengthen(bob, survey.id, 'page-1');
      expect(await house.locks.live(bob, survey.id)).toMatchObject([{ expiresAt: later(34) }]);
      await house.locks.shorten(survey.id, { userId: 'bob', session: 'page-1' });
      await house.setClock(later(9));
      expect(await house.locks.endExpired()).toContainEqual({
        surveyId: survey.id,
        fieldKey: 'name',
        reason: 'disconnected',
      });
    });

    it('is given back or taken away together with others', async () => {
      await taken(bob, 'name');
      await taken(bob, 'budget', 'page-2');
      await taken(bob, 'colour');
      await taken(alice, 'contract');
      expect(await house.locks.releaseAll(bob, survey.id, 'page-1')).toEqual(['colour', 'name']);
      expect(await house.locks.forceAll(alice, survey.id, ['bob'])).toEqual(['budget']);
      expect(await house.locks.forceAll(alice, survey.id, 'everybody')).toEqual(['contract']);
      expect(await house.locks.live(alice, survey.id)).toEqual([]);
    });
  });

  describe('presence', () => {
    it('shows each page, and the field that it is at', async () => {
      await house.presence.arrive(bob, survey.id, 'page-1', 'line-1');
      await house.presence.arrive(bob, survey.id, 'page-2', 'line-2');
      await house.presence.arrive(alice, survey.id, 'page-1', 'line-3');
      await taken(bob, 'budget', 'page-2');
      expect(await house.presence.present(alice, survey.id)).toEqual([
        { userId: 'alice', session: 'page-1', fieldKey: null },
        { userId: 'bob', session: 'page-1', fieldKey: null },
        { userId: 'bob', session: 'page-2', fieldKey: 'budget' },
      ]);
      expect(await house.presence.depart(bob, survey.id, 'page-1')).toBe(true);
      expect(await house.presence.depart(bob, survey.id, 'page-1')).toBe(false);
      await house.presence.departAll(alice, survey.id, ['bob']);
      expect(await house.presence.present(alice, survey.id)).toHaveLength(1);
    });

    it('lasts as long as its line is alive, and a while', async () => {
      await house.presence.arrive(bob, survey.id, 'page-1', 'line-4');
      await house.setClock(later(20));
      await house.presence.keep(['line-4', 'line-9']);
      await house.setClock(later(49));
      expect(await house.presence.present(alice, survey.id)).toHaveLength(1);
      await house.setClock(later(50));
      expect(await house.presence.endAbsent()).toContainEqual({
        surveyId: survey.id,
        holder: { userId: 'bob', session: 'page-1' },
      });
      expect(await house.presence.endAbsent()).toEqual([]);
    });

    it('says when the first of all ends', async () => {
      await house.setClock(later(86_400));
      await house.presence.endAbsent();
      expect(await house.presence.nextEnd()).toBeNull();
      await house.setClock(NOON);
      await house.presence.arrive(bob, survey.id, 'page-1', 'line-10');
      await house.presence.arrive(alice, survey.id, 'page-2', 'line-11');
      await house.setClock(later(20));
      await house.presence.keep(['line-10']);
      expect(await house.presence.nextEnd()).toEqual(later(30));
      await house.presence.shorten('line-11');
      expect(await house.presence.nextEnd()).toEqual(later(25));
    });

    it('ends after the grace when its line broke, and not when the page is back on another one', async () => {
      await house.presence.arrive(bob, survey.id, 'page-1', 'line-5');
      await house.presence.arrive(alice, survey.id, 'page-1', 'line-6');
      await house.presence.arrive(alice, survey.id, 'page-1', 'line-7');
      expect(await house.presence.shorten('line-6')).toEqual([]);
      expect(await house.presence.shorten('line-5')).toMatchObject([{ holder: { userId: 'bob' } }]);
      await house.setClock(later(5));
      expect(await house.presence.present(alice, survey.id)).toMatchObject([{ userId: 'alice' }]);
      expect(await house.presence.endAbsent()).toMatchObject([{ holder: { userId: 'bob' } }]);
    });
  });
}

describe('in memory', () => {
  const memory = new InMemorySurveys(POLICY);
  promises(() => ({
    surveys: memory.repository,
    answers: memory.answers,
    locks: memory.lockBook,
    presence: memory.presenceBook,
    setClock: (now) => {
      memory.now = now;
      return Promise.resolve();
    },
  }));
});

describe('on PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    await database.admin.query(`
      create table steered_clock (at timestamptz);
      grant select on steered_clock to horarium_app;
      insert into steered_clock values (null);
      create or replace function horarium_now() returns timestamptz language sql volatile
        as 'select coalesce((select at from steered_clock), clock_timestamp())';
      insert into tenants (name, created_at) values ('second', horarium_now())`);
  });
  afterAll(() => database.close());
  promises(() => ({
    surveys: new SqlSurveyRepository(database.sessions),
    answers: new SqlAnswerBook(database.sessions, POLICY, { windowMs: 2, max: 200 }),
    locks: new SqlLockBook(database.sessions, POLICY),
    presence: new SqlPresenceBook(database.sessions, POLICY),
    setClock: async (now) => void (await database.admin.query('update steered_clock set at = $1', [now])),
  }));

  it('a page of another tenant finds nothing, also where a statement forgot to ask', async () => {
    const survey = aSurvey();
    await new SqlSurveyRepository(database.sessions).add(alice, survey);
    await new SqlAnswerBook(database.sessions, POLICY, { windowMs: 2, max: 200 }).write(aWrite(survey.id), NOON);
    for (const table of ['surveys', 'survey_answers', 'survey_answer_versions', 'survey_locks', 'survey_presence']) {
      const seen = await database.sessions.run(stranger, (tx) => tx.query(`select * from ${table}`));
      expect([table, seen]).toEqual([table, []]);
    }
  });
});
