// Work goes on within five seconds of the database's return, however long it was away and however seldom a row looks by
// itself: the line for wakes is tried every three seconds, a new line wakes every row, and a row that is woken looks within
// half a second. The first and the last are counted here; that one leads to the other is seen with a real database.
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { systemActor } from '../../src/kernel/actor';
import { reconnectPauseMs, WakeChannel } from '../../src/platform/persistence/wake-channel';
import { Sessions } from '../../src/platform/persistence/sessions';
import { openDataSource } from '../../src/platform/persistence/open-data-source';
import { FIRST_RETRY_MS } from '../../src/scheduler/row-keeper';
import { Ticker } from '../../src/scheduler/ticker';
import type { TimetableRow } from '../../src/scheduler/timetable-row';
import { testDatabase } from '../support/database';
import { DatabaseProxy } from '../support/database-proxy';
import { Signal } from '../support/signal';

const ACTOR = systemActor('test');
const DAY_MS = 86_400_000;
const clock = { now: () => new Date() };

class Heard {
  readonly succeeded = new Signal();
  readonly failures = new Signal();
  readonly ticked = (): void => this.succeeded.raise();
  readonly failed = (): void => this.failures.raise();
  readonly recovered = (): void => undefined;
}

const keep = (row: Omit<TimetableRow, 'name' | 'logger'>, watch: Heard): Ticker =>
  new Ticker([{ name: 'row', logger: 'Row', ...row }], {
    registry: new SchedulerRegistry(),
    clock,
    watch,
    chance: () => 1,
  });

beforeEach(() => {
  for (const level of ['log', 'warn'] as const) jest.spyOn(Logger.prototype, level).mockReturnValue(undefined);
});
afterEach(() => jest.restoreAllMocks());

test('however often it failed, the next attempt and the look that follows it take less than five seconds together', () => {
  const pauses = Array.from({ length: 1_000 }, (_, failures) => reconnectPauseMs(failures, 1));
  expect(Math.max(...pauses)).toBe(3_000);
  expect(Math.max(...pauses) + FIRST_RETRY_MS).toBeLessThan(5_000);
});

test('a row that has failed for a day, and backs off for hours, looks half a second after it is woken', async () => {
  jest.useFakeTimers();
  let away = true;
  const heard = new Heard();
  const tick = (): Promise<null> => (away ? Promise.reject(new Error('no database')) : Promise.resolve(null));
  const ticker = keep({ rhythm: { whenDue: true, atMostMs: DAY_MS }, tick }, heard);
  ticker.start();
  await jest.advanceTimersByTimeAsync(DAY_MS);
  away = false;
  ticker.wake('row');
  await jest.advanceTimersByTimeAsync(FIRST_RETRY_MS);
  expect(heard.succeeded.count).toBe(1);
  await ticker.end(1);
  jest.useRealTimers();
});

test('a database that was away and is back wakes a row that would look by itself tomorrow', async () => {
  const db = await testDatabase();
  const proxy = await DatabaseProxy.before(db.url);
  const url = proxy.url(db.url);
  const source = await openDataSource({ url, poolSize: 2 });
  const sessions = new Sessions(source);
  const channel = new WakeChannel({ url, applicationName: 'resume' });
  const heard = new Heard();
  const ticker = keep(
    {
      rhythm: { whenDue: true, atMostMs: DAY_MS },
      tick: () => sessions.run(ACTOR, (tx) => tx.query('select 1')).then(() => null),
    },
    heard,
  );
  const connected = new Signal();
  await channel.listen('row', () => {
    ticker.wake('row');
    connected.raise();
  });
  ticker.start();
  channel.start();
  await Promise.all([heard.succeeded.times(1), connected.times(1)]);

  proxy.refuseNewLines(true);
  proxy.cutOpenLines();
  while (heard.failures.count < 3) {
    const more = heard.failures.times(heard.failures.count + 1);
    ticker.wake('row');
    await more;
  }
  const before = heard.succeeded.count;
  proxy.refuseNewLines(false);
  await connected.times(2);
  await heard.succeeded.times(before + 1);

  await ticker.end(1_000);
  await channel.stop();
  await source.destroy();
  await proxy.close();
  await db.close();
});
