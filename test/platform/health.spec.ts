import type { INestApplication } from '@nestjs/common';
import { Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { DatabaseClock } from '../../src/platform/clock';
import { ClockHealth } from '../../src/platform/health/clock-health';
import { MigrationsHealth } from '../../src/platform/health/database-health';
import { type HealthIndicator, HealthIndicators } from '../../src/platform/health/health-indicators';
import { HealthModule } from '../../src/platform/health/health.module';
import { TimeZoneHealth } from '../../src/platform/health/time-zone-health';
import { MigrationState } from '../../src/platform/persistence/migration-state';
import { Sessions } from '../../src/platform/persistence/sessions';
import type { RowReading } from '../../src/scheduler/row-keeper';
import { PollerHealth, TimetableHealth } from '../../src/scheduler/timetable-health';
import { testDatabase, type TestDatabase } from '../support/database';

const check = (name: string, mustHave: boolean, found: HealthIndicator['check']): HealthIndicator => ({
  name,
  mustHave,
  check: found,
});

describe('health', () => {
  it('fails only when a must-have fails, and warns of everything else', async () => {
    const indicators = new HealthIndicators();
    indicators.add(check('one', true, () => ({ status: 'ok', latency_ms: 1 })));
    expect(await indicators.report()).toEqual({
      status: 'ok',
      checks: { one: { status: 'ok', latency_ms: 1, must_have: true } },
    });
    indicators.add(check('two', false, () => ({ status: 'fail', message: 'off' })));
    expect((await indicators.report()).status).toBe('warn');
    indicators.add(check('three', true, () => ({ status: 'fail', message: 'off' })));
    expect((await indicators.report()).status).toBe('fail');
  });

  it('is not ready from the moment the process stops, whatever else is well', async () => {
    const indicators = new HealthIndicators();
    indicators.add({ name: 'fine', mustHave: true, check: () => ({ status: 'ok' }) });
    expect((await indicators.report()).status).toBe('ok');
    indicators.drain();
    expect(await indicators.report()).toMatchObject({ status: 'fail', checks: { stopping: { status: 'fail' } } });
  });

  it('keeps what a failed check says to itself: the page is public', async () => {
    const indicators = new HealthIndicators();
    indicators.add(check('one', true, () => Promise.reject(new Error('postgres://user:secret@host'))));
    const report = await indicators.report();
    expect(report.status).toBe('fail');
    expect(JSON.stringify(report)).not.toContain('secret');
  });

  it('does not wait for a check that hangs', async () => {
    jest.useFakeTimers();
    const indicators = new HealthIndicators();
    indicators.add(check('stuck', true, () => new Promise(() => undefined)));
    const report = indicators.report();
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await report).checks.stuck).toMatchObject({ status: 'fail', message: 'no answer within 2 s' });
    jest.useRealTimers();
  });

  it('checks once for a flood of probes, and again after half a second', async () => {
    let now = 0;
    const found = jest.fn(() => ({ status: 'ok' as const }));
    const indicators = new HealthIndicators(() => now);
    indicators.add(check('one', true, found));
    await Promise.all([indicators.report(), indicators.report()]);
    now = 500;
    await indicators.report();
    expect(found).toHaveBeenCalledTimes(1);
    now = 501;
    await indicators.report();
    expect(found).toHaveBeenCalledTimes(2);
  });

  it('warns of a clock that is off by more than a second, in words that say which way', () => {
    const at = (aheadOfWallMs: number) => new ClockHealth({ reading: () => ({ source: 'database', aheadOfWallMs }) });
    expect(at(-1_000).check()).toEqual({ status: 'ok', source: 'database', offset_ms: -1_000 });
    expect(at(300_000).check()).toMatchObject({ status: 'warn', message: expect.stringContaining('300 s behind') });
    expect(at(-1_500).check()).toMatchObject({ status: 'warn', message: expect.stringContaining('1.5 s ahead of') });
  });

  it('says which time-zone database Node has, and fails without one', () => {
    expect(new TimeZoneHealth().check()).toMatchObject({ status: 'ok', version: process.versions.tz });
    expect(new TimeZoneHealth(null).check().status).toBe('fail');
  });

  it('fails when no round of the poller has succeeded for three polls and ten seconds', () => {
    const openedAt = new Date(0);
    const row = { name: 'p', logger: 'P', rhythm: { whenDue: true as const, atMostMs: 5_000 }, tick: jest.fn() };
    const reading = (more: Partial<RowReading>) => [{ row, openedAt, lastSucceededAt: null, ...more } as RowReading];
    const at = (ms: number, more: Partial<RowReading>) =>
      new PollerHealth(() => reading(more), 'p', { now: () => new Date(ms) }).check();
    expect(at(25_000, {})).toEqual({ status: 'ok', age_seconds: 25 });
    expect(at(25_001, {}).status).toBe('fail');
    expect(at(90_000, { lastSucceededAt: new Date(89_000) })).toEqual({ status: 'ok', age_seconds: 1 });
    expect(at(0, { openedAt: null }).status).toBe('fail');
  });

  it('warns of rows of the timetable that fail', () => {
    const rows = [{ row: { name: 'sweeper' }, failuresInARow: 2 } as RowReading, { failuresInARow: 0 } as RowReading];
    expect(new TimetableHealth(() => rows).check()).toMatchObject({
      status: 'warn',
      failing: 1,
      message: expect.stringContaining('sweeper (2 in a row)'),
    });
  });

  describe('on a database', () => {
    let db: TestDatabase;
    let app: INestApplication;

    beforeAll(async () => {
      db = await testDatabase({ poolSize: 2 });
      @Module({
        providers: [
          { provide: Sessions, useValue: db.sessions },
          {
            provide: DatabaseClock,
            useValue: { reading: () => ({ source: 'database', aheadOfWallMs: 3 }) },
          },
        ],
        exports: [Sessions, DatabaseClock],
      })
      class Ground {}
      const built = await Test.createTestingModule({
        imports: [{ module: Ground, global: true }, HealthModule],
      }).compile();
      app = await built.createNestApplication({ logger: false }).init();
      jest.spyOn(Logger.prototype, 'debug').mockReturnValue(undefined);
    });
    afterAll(async () => {
      await app.close();
      await db.close();
    });

    it('is ready when the database answers and its schema fits', async () => {
      const { body } = await request(app.getHttpServer()).get('/health/ready').expect(200);
      expect(body).toMatchObject({
        status: 'ok',
        checks: {
          database: { status: 'ok', must_have: true, latency_ms: expect.any(Number) },
          migrations: { status: 'ok', missing: 0, applied: expect.any(Number) },
          time_zones: { status: 'ok' },
          clock: { status: 'ok', offset_ms: 3, must_have: false },
        },
      });
      await request(app.getHttpServer()).get('/health/live').expect(200, { status: 'ok' });
    });

    it('tells a schema that is behind from one that is ahead', async () => {
      const { applied } = await new MigrationState(db.sessions).read();
      const behind = new MigrationsHealth(new MigrationState(db.sessions, [...applied, 'Next1']));
      expect(await behind.check()).toMatchObject({ status: 'fail', missing: 1 });
      const ahead = new MigrationsHealth(new MigrationState(db.sessions, applied.slice(0, -1)));
      expect(await ahead.check()).toMatchObject({ status: 'warn', message: expect.stringContaining('ahead') });
    });

    it('is alive but not ready when the database is gone', async () => {
      // The report of the first probe is still the present one: a check is added, which makes it stale.
      app.get(HealthIndicators).add(check('another', false, () => ({ status: 'ok' })));
      await db.source.destroy();
      const ready = await request(app.getHttpServer()).get('/health/ready').expect(503);
      expect(ready.body.checks.database).toEqual({
        status: 'fail',
        message: 'the database cannot be reached; the log says why',
        must_have: true,
      });
      await request(app.getHttpServer()).get('/health/live').expect(200);
    });
  });
});
