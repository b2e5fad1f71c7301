// What the house asks every few seconds goes over a connection of its own, one statement a transaction.
import { DataSource } from 'typeorm';
import { systemActor } from '../../../src/kernel/actor';
import { HouseLine } from '../../../src/platform/persistence/house-line';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source-options';
import { APP_ROLE, Sessions } from '../../../src/platform/persistence/sessions';
import { DatabaseUnavailableError } from '../../../src/platform/persistence/sql-errors';
import { testDatabase, type TestDatabase } from '../../support/database';
import { DatabaseProxy } from '../../support/database-proxy';
import { Signal } from '../../support/signal';

const ACTOR = systemActor('test');
const WHO = "select current_user as role, current_setting('app.is_super_admin') as system, pg_backend_pid() as backend";

interface Who {
  readonly role: string;
  readonly system: string;
  readonly backend: number;
}

let db: TestDatabase;
const lines: HouseLine[] = [];
const lineTo = (url: string): HouseLine => {
  const line = new HouseLine({ url, role: APP_ROLE });
  lines.push(line);
  return line;
};
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(() => Promise.all(lines.splice(0).map((line) => line.close())));
afterAll(() => db.close());

test('it works as the house, in the role that owns nothing, on one connection', async () => {
  const [first] = await db.sessions.ask<Who>(ACTOR, WHO);
  const [second] = await db.sessions.ask<Who>(ACTOR, WHO);
  expect(first).toMatchObject({ role: APP_ROLE, system: 't' });
  expect(second?.backend).toBe(first?.backend);
});

test('no statement is compiled, whatever the server does by itself', async () => {
  const { rows } = await db.admin.query('select quote_ident(current_database()) as name');
  await db.admin.query(`alter database ${rows[0].name} set jit = 'on'`);
  expect(await lineTo(db.url).ask('show jit', [])).toEqual([{ jit: 'off' }]);
  expect(await db.sessions.run(ACTOR, (tx) => tx.query('show jit'))).toEqual([{ jit: 'off' }]);
});

test('a statement that the database refuses leaves the line as it is', async () => {
  const [before] = await db.sessions.ask<Who>(ACTOR, WHO);
  await expect(db.sessions.ask(ACTOR, 'select 1 / 0')).rejects.toThrow('division by zero');
  const [after] = await db.sessions.ask<Who>(ACTOR, WHO);
  expect(after?.backend).toBe(before?.backend);
});

test('a line that was cut is an unavailable database once, and a new line at the next question', async () => {
  const [before] = await db.sessions.ask<Who>(ACTOR, WHO);
  await db.admin.query('select pg_terminate_backend($1)', [before?.backend]);
  await expect(db.sessions.ask(ACTOR, WHO)).rejects.toThrow(DatabaseUnavailableError);
  const [after] = await db.sessions.ask<Who>(ACTOR, WHO);
  expect(after?.backend).not.toBe(before?.backend);
});

test('a line on which nothing passes any more is given up', async () => {
  const proxy = await DatabaseProxy.before(db.url);
  const line = lineTo(proxy.url(db.url));
  await line.ask(WHO, []);
  proxy.muteOpenLines();
  await expect(line.ask(WHO, [])).rejects.toThrow(/timeout/);
  await expect(line.ask(WHO, [])).resolves.toHaveLength(1);
  await line.close();
  await proxy.close();
});

test('a connection of the pool on which nothing passes any more is given up, and the next one works', async () => {
  const proxy = await DatabaseProxy.before(db.url);
  const source = new DataSource(dataSourceOptions({ url: proxy.url(db.url), poolSize: 2 }));
  await source.initialize();
  const sessions = new Sessions(source);
  const who = () => sessions.run(ACTOR, (tx) => tx.query<Who>(WHO), { answerWithinMs: 500 });
  await who();
  proxy.muteOpenLines();
  await expect(who()).rejects.toThrow(DatabaseUnavailableError);
  await expect(who()).resolves.toHaveLength(1);
  await source.destroy();
  await proxy.close();
});

test('where one connection of the pool gives no answer, those that have been quiet since are not tried one after the other', async () => {
  const proxy = await DatabaseProxy.before(db.url);
  const source = new DataSource(dataSourceOptions({ url: proxy.url(db.url), poolSize: 3 }));
  await source.initialize();
  const sessions = new Sessions(source);
  const who = (answerWithinMs: number) => sessions.run(ACTOR, (tx) => tx.query<Who>(WHO), { answerWithinMs });
  const lent = new Signal();
  const allThree = (): Promise<void> => {
    lent.raise();
    return lent.times(3);
  };
  await Promise.all([1, 2, 3].map(() => sessions.run(ACTOR, allThree)));
  proxy.muteOpenLines();
  await expect(who(300)).rejects.toThrow(DatabaseUnavailableError);
  // All three lines were mute: these would wait for longer than this test may take.
  expect(await Promise.all([who(60_000), who(60_000), who(60_000)])).toHaveLength(3);
  await source.destroy();
  await proxy.close();
});

test('a process that stops does not wait for a mute line, and not for one that was asked before either', async () => {
  const proxy = await DatabaseProxy.before(db.url);
  const source = new DataSource(dataSourceOptions({ url: proxy.url(db.url), poolSize: 2 }));
  await source.initialize();
  const sessions = new Sessions(source);
  const lent = new Signal();
  const asked = [1, 2].map(() =>
    sessions.run(ACTOR, async (tx) => {
      lent.raise();
      await lent.times(2);
      proxy.muteOpenLines();
      return tx.query<Who>(WHO);
    }),
  );
  for (const answer of asked) answer.catch(() => undefined);
  await lent.times(2);
  expect(sessions.isInAHurry()).toBe(false);
  sessions.hurry(100);
  expect(sessions.isInAHurry()).toBe(true);
  for (const answer of asked) await expect(answer).rejects.toThrow(DatabaseUnavailableError);
  await expect(sessions.run(ACTOR, (tx) => tx.query('select pg_sleep(60)'))).rejects.toThrow(DatabaseUnavailableError);
  await source.destroy();
  await proxy.close();
});

test('where settings do not stay on a connection (a pooler), the same questions are sessions, and no session is our own', async () => {
  const proxy = await DatabaseProxy.before(db.url);
  proxy.ignoreStartupOptions();
  const source = new DataSource(dataSourceOptions({ url: proxy.url(db.url), poolSize: 2 }));
  await source.initialize();
  const sessions = new Sessions(source);
  expect(await sessions.markSession()).toBeNull();
  expect(await sessions.ask<Who>(ACTOR, WHO)).toMatchObject([{ role: APP_ROLE, system: 't' }]);
  await sessions.hangUp();
  await source.destroy();
  await proxy.close();
});
