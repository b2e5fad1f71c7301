import { Controller, Get, Logger, Module, Param, Post } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { contributeBacklog } from '../../src/scheduler/backlog-gauges';
import { HttpDurations, RequestMetrics } from '../../src/platform/metrics/http-durations';
import { Metrics } from '../../src/platform/metrics/metrics';
import { MetricsModule } from '../../src/platform/metrics/metrics.module';
import { ScheduleMetrics } from '../../src/platform/metrics/schedule-metrics';
import { TickMetrics } from '../../src/platform/metrics/tick-metrics';
import { DatabaseClock } from '../../src/platform/clock';
import { PoolState } from '../../src/platform/persistence/pool-state';

@Controller('things')
class ThingsController {
  @Get(':id')
  read(@Param('id') id: string): string {
    return id;
  }
  @Post(':id')
  fail(): never {
    throw new Error('on purpose');
  }
}

const line = (page: string, start: string) => page.split('\n').find((each) => each.startsWith(start));

describe('metrics', () => {
  const reading = { dueTasks: 3, oldestDueAt: new Date(1_000), activeRuns: 2, tasksWithoutNextRun: 0 };
  const clock = { now: () => new Date(8_500) };

  beforeEach(() => jest.spyOn(Logger.prototype, 'debug').mockReturnValue(undefined));
  afterEach(() => jest.restoreAllMocks());

  it('reads the backlog of the schedule at a scrape', async () => {
    const metrics = new Metrics();
    contributeBacklog(metrics, { read: () => Promise.resolve(reading) }, 10, clock);
    const page = await metrics.page();
    expect(line(page, 'horarium_due_tasks ')).toBe('horarium_due_tasks 3');
    expect(line(page, 'horarium_oldest_due_age_seconds ')).toBe('horarium_oldest_due_age_seconds 7.5');
    expect(line(page, 'horarium_active_runs ')).toBe('horarium_active_runs 2');
    expect(line(page, 'horarium_run_budget ')).toBe('horarium_run_budget 10');
    expect(line(page, 'horarium_tasks_without_next_run ')).toBe('horarium_tasks_without_next_run 0');
  });

  it('leaves out figures that cannot be read, counts that, and shows all others', async () => {
    const metrics = new Metrics();
    const read = jest.fn().mockResolvedValueOnce(reading).mockRejectedValue(new Error('no database'));
    contributeBacklog(metrics, { read }, 10, clock);
    new ScheduleMetrics(metrics);
    await metrics.page();
    const page = await metrics.page();
    expect(line(page, 'horarium_due_tasks ')).toBeUndefined();
    expect(line(page, 'horarium_metrics_failures_total')).toBe(
      'horarium_metrics_failures_total{contributor="schedule"} 1',
    );
    expect(line(page, 'horarium_dispatches_total{outcome="launched"}')).toBeDefined();
  });

  it('does not wait for a contributor that hangs', async () => {
    jest.useFakeTimers();
    const metrics = new Metrics();
    metrics.contribute('stuck', { stuck: { name: 'stuck', help: 'x' } }, () => new Promise(() => undefined));
    const page = metrics.page();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(line(await page, 'horarium_metrics_failures_total')).toContain('stuck');
    jest.useRealTimers();
  });

  it('reads once for scrapes at the same time', async () => {
    const metrics = new Metrics();
    const read = jest.fn().mockResolvedValue({ one: 1 });
    metrics.contribute('once', { one: { name: 'one', help: 'x' } }, read);
    await Promise.all([metrics.page(), metrics.page()]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('counts outcomes, missed occurrences and lateness from 5 ms to 1 h', async () => {
    const metrics = new Metrics();
    const schedule = new ScheduleMetrics(metrics);
    schedule.started(0.004);
    schedule.started(-0.001);
    schedule.started(4_000);
    schedule.dispatched('launched', 2);
    schedule.missed(7);
    const page = await metrics.page();
    expect(line(page, 'horarium_run_lateness_seconds_bucket{le="0.005"}')).toMatch(/ 2$/);
    expect(line(page, 'horarium_run_lateness_seconds_bucket{le="3600"}')).toMatch(/ 2$/);
    expect(line(page, 'horarium_run_lateness_seconds_count')).toMatch(/ 3$/);
    expect(line(page, 'horarium_dispatches_total{outcome="launched"}')).toMatch(/ 2$/);
    expect(line(page, 'horarium_dispatches_total{outcome="unknown"}')).toMatch(/ 0$/);
    expect(line(page, 'horarium_missed_occurrences_total')).toMatch(/ 7$/);
  });

  it('counts ticks and their failures by row, from 0', async () => {
    const metrics = new Metrics();
    const ticks = new TickMetrics(metrics);
    ticks.announce('sweeper');
    expect(line(await metrics.page(), 'horarium_tick_failures_total')).toBe(
      'horarium_tick_failures_total{row="sweeper"} 0',
    );
    ticks.ended('sweeper', 12, true);
    const page = await metrics.page();
    expect(line(page, 'horarium_tick_failures_total')).toMatch(/ 1$/);
    expect(line(page, 'horarium_tick_duration_seconds_sum{row="sweeper"}')).toMatch(/ 0\.012$/);
  });

  describe('over HTTP', () => {
    let app: INestApplication;
    let server: ReturnType<INestApplication['getHttpServer']>;

    beforeAll(async () => {
      @Module({
        controllers: [ThingsController],
        providers: [
          { provide: DatabaseClock, useValue: { reading: () => ({ aheadOfWallMs: -250 }) } },
          { provide: PoolState, useValue: { read: () => ({ open: 4, idle: 3, waiting: 1 }) } },
        ],
        exports: [DatabaseClock, PoolState],
      })
      class Ground {}
      const built = await Test.createTestingModule({
        imports: [{ module: Ground, global: true }, MetricsModule],
      }).compile();
      app = built.createNestApplication({ logger: false });
      app.setGlobalPrefix('api', { exclude: ['metrics'] });
      await app.init();
      server = app.getHttpServer();
    });
    afterAll(() => app.close());

    it('labels requests by the pattern of their route, and unknown paths all alike', async () => {
      await request(server).get('/api/things/1').expect(200);
      await request(server).get('/api/things/2').expect(200);
      await request(server).post('/api/things/3').expect(500);
      await request(server).get('/api/nowhere/4').expect(404);
      const { text, headers } = await request(server).get('/metrics').expect(200);
      const count = (labels: string) => line(text, `horarium_http_request_duration_seconds_count{${labels}}`);
      expect(count('method="GET",route="/api/things/:id",status="200"')).toMatch(/ 2$/);
      expect(count('method="POST",route="/api/things/:id",status="500"')).toMatch(/ 1$/);
      expect(count('method="GET",route="none",status="404"')).toMatch(/ 1$/);
      expect(text).not.toMatch(/things\/1|nowhere/);
      expect(headers['content-type']).toMatch(/^text\/plain.*version=0\.0\.4/);
      expect(headers['cache-control']).toBe('no-store');
    });

    it('shows the process, the clock and the pool', async () => {
      const { text } = await request(server).get('/metrics');
      expect(line(text, 'process_resident_memory_bytes ')).toBeDefined();
      expect(line(text, 'horarium_clock_offset_seconds ')).toBe('horarium_clock_offset_seconds -0.25');
      expect(line(text, 'horarium_database_pool_connections ')).toBe('horarium_database_pool_connections 4');
      expect(line(text, 'horarium_database_pool_waiting ')).toBe('horarium_database_pool_waiting 1');
    });

    it('counts a request whose client hung up', () => {
      const metrics = new Metrics();
      const listeners: (() => void)[] = [];
      const response = { once: (_: string, close: () => void) => listeners.push(close), writableFinished: false };
      const seen = { method: 'BREW', route: undefined };
      new HttpDurations(new RequestMetrics(metrics)).use(seen as never, response as never, () => undefined);
      listeners[0]?.();
      return expect(metrics.page()).resolves.toContain('method="other",route="none",status="aborted"');
    });
  });
});
