import type { INestApplication, Type } from '@nestjs/common';
import { type CanActivate, type ExecutionContext, ForbiddenException, Logger, Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { Clock } from '../../src/kernel/clock';
import { REQUIRED_ROLES } from '../../src/platform/auth/inbound/door';
import { ApiClient } from '../../src/platform/cli/api-client';
import { Config } from '../../src/platform/config/config';
import { HealthIndicators } from '../../src/platform/health/health-indicators';
import { ClusterTurns } from '../../src/platform/instances/cluster-turns';
import { Heartbeat } from '../../src/platform/instances/heartbeat';
import { InstanceId } from '../../src/platform/instances/instance-id';
import { Metrics } from '../../src/platform/metrics/metrics';
import { TickMetrics } from '../../src/platform/metrics/tick-metrics';
import { ProblemFilter } from '../../src/platform/protocol/http-errors';
import { OutboxRelay } from '../../src/platform/outbox/outbox-relay';
import { OutboxRetention } from '../../src/platform/outbox/outbox-retention';
import { StopTime } from '../../src/platform/stop-time';
import { WakeChannel } from '../../src/platform/persistence/wake-channel';
import { SchedulerModule } from '../../src/scheduler/scheduler.module';
import { Ticker } from '../../src/scheduler/ticker';
import { SCHEDULE_POLLER, timetable } from '../../src/scheduler/timetable';
import { TimetableReader } from '../../src/scheduler/timetable-lookup';

const OURS = ['Scheduler', 'SchedulePoller', 'RunSettler', 'InstanceHeartbeat'];
const RHYTHMS = { pollIntervalSeconds: 5, channelRenewalIntervalHours: 6 };
const TOKEN = 'operator-token-of-the-test';
const now = new Date('2026-03-01T00:30:00.000Z');
const rounds = { due: 0, settled: 0, beats: 0 };

class DispatchDue {
  run(): Promise<Date | null> {
    rounds.due += 1;
    return Promise.resolve(null);
  }
}
class SettleRuns {
  run(): Promise<number> {
    rounds.settled += 1;
    return Promise.reject(new Error('settling failed'));
  }
}
class DeliverWaiting {
  run(): Promise<Date | null> {
    return Promise.resolve(null);
  }
}
class EndSessions {
  run(): Promise<Date | null> {
    return Promise.resolve(null);
  }
}
class PromoteQueued {
  run(): Promise<Date | null> {
    return Promise.resolve(null);
  }
}
class SettleAgentRuns {
  run(): Promise<number> {
    return Promise.resolve(0);
  }
}
class SurveyAttendance {
  keepAlive(): Promise<void> {
    return Promise.resolve();
  }
}
class HeedCancelRequests {
  run(): Promise<void> {
    return Promise.resolve();
  }
}
class ParseFrameworks {
  run(): Promise<number> {
    return Promise.resolve(0);
  }
}
class SweepParseJobs {
  run(): Promise<void> {
    return Promise.resolve();
  }
}
class DriveWork {
  run(): Promise<null> {
    return Promise.resolve(null);
  }
}
class RemoteAgents {
  flush = (): Promise<void> => Promise.resolve();
  rights = (): Promise<void> => Promise.resolve();
  listener = (): Promise<void> => Promise.resolve();
  announce = (): Promise<void> => Promise.resolve();
  prune = (): Promise<void> => Promise.resolve();
}
class PublishDigests {
  run(): Promise<Date | null> {
    return Promise.resolve(null);
  }
}
class DeliverWebhooks extends PublishDigests {}
class CarryClassifications extends PublishDigests {}
class EndAbandonedEdits extends PublishDigests {}
class ForgetNotifications extends HeedCancelRequests {}
class Backlog {
  read() {
    return Promise.resolve({ dueTasks: 1, oldestDueAt: null, activeRuns: 0, tasksWithoutNextRun: 0 });
  }
}

class TryAgain {
  run(): Promise<null> {
    return Promise.resolve(null);
  }
}
const PARTS: Type[] = [
  DispatchDue,
  DeliverWaiting,
  PromoteQueued,
  EndSessions,
  SettleRuns,
  SettleAgentRuns,
  HeedCancelRequests,
  TryAgain,
  CarryClassifications,
  EndAbandonedEdits,
  ParseFrameworks,
  SweepParseJobs,
  SurveyAttendance,
  DriveWork,
  RemoteAgents,
  PublishDigests,
  DeliverWebhooks,
  ForgetNotifications,
  Backlog,
];

@Module({ providers: PARTS, exports: PARTS })
class Schedule {}

/** Stands for the guard of the doors: what it asks of the token is tested with auth. */
class OperatorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const roles = new Reflector().getAllAndOverride<string[]>(REQUIRED_ROLES, [
      context.getHandler(),
      context.getClass(),
    ]);
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string> }>();
    if (roles.includes('operator') && headers.authorization !== `Bearer ${TOKEN}`) throw new ForbiddenException();
    return true;
  }
}

describe('the timetable of a running house', () => {
  let app: INestApplication;
  let ticker: Ticker;
  let folder: string;
  const channel = new WakeChannel({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'test' });
  const indicators = new HealthIndicators();
  const metrics = new Metrics();
  const spoken: string[] = [];
  const tokenFile = () => join(folder, 'operator-token');
  const server = (port: number) => new ApiClient({ url: `http://127.0.0.1:${port}`, tokenFile: tokenFile() });
  const reader = (port: number) => new TimetableReader(server(port), timetable(RHYTHMS), { now: () => now });
  const port = () => (app.getHttpServer().address() as AddressInfo).port;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'horarium-timetable-'));
    writeFileSync(tokenFile(), `${TOKEN}\n`);
    for (const level of ['log', 'warn', 'error', 'debug'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation(function (this: { context?: string }, ...said: unknown[]) {
        if (OURS.includes(this.context ?? '')) spoken.push(`${level} ${this.context}: ${String(said.at(-1))}`);
      });
    }
    const config = {
      ...RHYTHMS,
      schedulePollIntervalSeconds: 5,
      scheduleMaxConcurrentRuns: 10,
      shutdownDeadlineSeconds: 5,
    };
    const beat = () => Promise.resolve(void (rounds.beats += 1));
    const ground = [
      { provide: Config, useValue: config },
      { provide: Clock, useValue: { now: () => new Date() } },
      { provide: Heartbeat, useValue: { run: beat, onDeath: () => undefined } },
      { provide: StopTime, useValue: new StopTime(10) },
      {
        provide: ClusterTurns,
        useValue: {
          take: () => Promise.resolve(null),
          done: () => Promise.resolve(),
          lastInstant: () => Promise.resolve(null),
        },
      },
      { provide: OutboxRelay, useValue: { run: () => Promise.resolve(null) } },
      { provide: OutboxRetention, useValue: { run: () => Promise.resolve(0) } },
      { provide: InstanceId, useValue: new InstanceId(() => 'instance-1') },
      { provide: WakeChannel, useValue: channel },
      { provide: HealthIndicators, useValue: indicators },
      { provide: Metrics, useValue: metrics },
      { provide: TickMetrics, useValue: new TickMetrics(metrics) },
    ];
    @Module({ providers: ground, exports: ground.map(({ provide }) => provide) })
    class Ground {}
    const built = await Test.createTestingModule({
      imports: [
        { module: Ground, global: true },
        SchedulerModule.with({
          modules: [Schedule],
          dispatchDue: DispatchDue,
          deliverWaiting: DeliverWaiting,
          promoteQueued: PromoteQueued,
          endSessions: EndSessions,
          settleRuns: SettleRuns,
          settleAgentRuns: SettleAgentRuns,
          heedCancelRequests: HeedCancelRequests,
          surveyAttendance: SurveyAttendance,
          endAbandonedEdits: EndAbandonedEdits,
          carryClassifications: CarryClassifications,
          parseFrameworks: ParseFrameworks,
          sweepParseJobs: SweepParseJobs,
          drainDriveQueue: DriveWork,
          forgetDriveJobs: DriveWork as never,
          renewChannels: DriveWork,
          remoteAgents: RemoteAgents,
          publishDigests: PublishDigests,
          deliverWebhooks: DeliverWebhooks,
          forgetNotifications: ForgetNotifications,
          tryAgain: TryAgain,
          backlog: Backlog,
        }),
      ],
    }).compile();
    app = built.createNestApplication({ logger: false });
    app.setGlobalPrefix('api');
    app.useGlobalGuards(new OperatorGuard());
    app.useGlobalFilters(new ProblemFilter());
    ticker = app.get(Ticker);
    const first = Promise.all(
      ['schedule-poller', 'run-settler', 'instance-heartbeat'].map((name) => ticker.ticked(name)),
    );
    await app.listen(0, '127.0.0.1');
    await first;
  });
  afterAll(async () => {
    await app.close();
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is named in one line at the start', () => {
    expect(spoken[0]).toBe(
      'log Scheduler: Timetable: schedule-poller when due, at the latest every 5 s; waiting-runs when due, at the latest every 1 min; queued-agent-runs when due, at the latest every 1 min; agent-sessions when due, at the latest every 1 min; run-settler every 5 s; agent-run-settler every 5 s; agent-run-canceller every 2 s; survey-attendance every 10 s; survey-locks when due, at the latest every 1 min; drive-sync-worker when due, at the latest every 1 min; drive-job-retention every 1 h; webhook-channel-renewer when due, at the latest every 6 h; agent-run-retrier when due, at the latest every 1 min; outbox-relay when due, at the latest every 30 s; outbox-retention every 1 h; classification-worker when due, at the latest every 1 min; parse-job-worker every 1 min; parse-job-cleanup at 0 1 * * * (cron, UTC); agent-heartbeats every 1 s; agent-rights every 5 s; agent-listener every 30 s; agent-presence every 15 s; agent-pruning at 40 3 * * * (cron, UTC); notification-digest when due, at the latest every 1 min; webhook-deliverer when due, at the latest every 1 min; notification-retention every 1 h; instance-heartbeat every 2 s',
    );
  });

  it('is shown to operators, and to nobody else', async () => {
    await request(app.getHttpServer()).get('/api/timetable').expect(403);
    const { body } = await request(app.getHttpServer()).get('/api/timetable').set('authorization', `Bearer ${TOKEN}`);
    expect(body.instance_id).toBe('instance-1');
    expect(body.rows).toEqual([
      expect.objectContaining({
        name: 'schedule-poller',
        last_tick_at: expect.stringMatching(/\+00:00$/),
        next_tick_at: expect.stringMatching(/\+00:00$/),
        failures: 0,
      }),
      expect.objectContaining({ name: 'waiting-runs', failures: 0 }),
      expect.objectContaining({ name: 'queued-agent-runs', failures: 0 }),
      expect.objectContaining({ name: 'agent-sessions', failures: 0 }),
      expect.objectContaining({ name: 'run-settler', last_error: 'settling failed' }),
      expect.objectContaining({ name: 'agent-run-settler', failures: 0 }),
      expect.objectContaining({ name: 'agent-run-canceller', failures: 0 }),
      expect.objectContaining({ name: 'survey-attendance', failures: 0 }),
      expect.objectContaining({ name: 'survey-locks', failures: 0 }),
      expect.objectContaining({
        name: 'drive-sync-worker',
        rhythm: 'when due, at the latest every 1 min',
        failures: 0,
      }),
      expect.objectContaining({ name: 'drive-job-retention', failures: 0 }),
      expect.objectContaining({ name: 'webhook-channel-renewer', failures: 0 }),
      expect.objectContaining({ name: 'agent-run-retrier', failures: 0 }),
      expect.objectContaining({ name: 'outbox-relay', failures: 0 }),
      expect.objectContaining({ name: 'outbox-retention', rhythm: 'every 1 h', failures: 0 }),
      expect.objectContaining({ name: 'classification-worker', failures: 0 }),
      expect.objectContaining({ name: 'parse-job-worker', failures: 0 }),
      expect.objectContaining({ name: 'parse-job-cleanup', once_per_cluster: true, failures: 0 }),
      expect.objectContaining({ name: 'agent-heartbeats', rhythm: 'every 1 s', failures: 0 }),
      expect.objectContaining({ name: 'agent-rights', failures: 0 }),
      expect.objectContaining({ name: 'agent-listener', failures: 0 }),
      expect.objectContaining({ name: 'agent-presence', failures: 0 }),
      expect.objectContaining({ name: 'agent-pruning', rhythm: 'at 40 3 * * * (cron, UTC)' }),
      expect.objectContaining({ name: 'notification-digest', failures: 0 }),
      expect.objectContaining({ name: 'webhook-deliverer', failures: 0 }),
      expect.objectContaining({ name: 'notification-retention', failures: 0 }),
      expect.objectContaining({ name: 'instance-heartbeat', rhythm: 'every 2 s', failures: 0 }),
    ]);
  });

  it('is read by the command line with the token of the data folder', async () => {
    const { server, instance_id, rows } = await reader(port()).read();
    expect([server, instance_id, rows.length]).toEqual(['running', 'instance-1', 27]);
  });

  it('is told apart from a server that does not let us in', async () => {
    writeFileSync(tokenFile(), 'another\n');
    await expect(reader(port()).read()).rejects.toMatchObject({ kind: 'refused' });
    writeFileSync(tokenFile(), `${TOKEN}\n`);
  });

  it('is shown without instants when no server is running', async () => {
    const { server, rows } = await reader(1).read();
    expect(server).toBe('not running');
    expect(rows.map(({ name, next_tick_at }) => [name, next_tick_at])).toEqual([
      ['schedule-poller', null],
      ['waiting-runs', null],
      ['queued-agent-runs', null],
      ['agent-sessions', null],
      ['run-settler', null],
      ['agent-run-settler', null],
      ['agent-run-canceller', null],
      ['survey-attendance', null],
      ['survey-locks', null],
      ['drive-sync-worker', null],
      ['drive-job-retention', null],
      ['webhook-channel-renewer', null],
      ['agent-run-retrier', null],
      ['outbox-relay', null],
      ['outbox-retention', null],
      ['classification-worker', null],
      ['parse-job-worker', null],
      ['parse-job-cleanup', '2026-03-01T01:00:00+00:00'],
      ['agent-heartbeats', null],
      ['agent-rights', null],
      ['agent-listener', null],
      ['agent-presence', null],
      ['agent-pruning', expect.any(String)],
      ['notification-digest', null],
      ['webhook-deliverer', null],
      ['notification-retention', null],
      ['instance-heartbeat', null],
    ]);
  });

  it('computes the instants of cron rows when no server is running', async () => {
    const entry = { name: 'sweeper', logger: 'Sweeper', rhythm: { cron: '0 1 * * *' }, tick: () => Promise.resolve() };
    const { rows } = await new TimetableReader(server(1), [entry], { now: () => now }).read();
    expect(rows[0]?.next_tick_at).toBe('2026-03-01T01:00:00+00:00');
  });

  it('is woken through the wake channel, row by row', async () => {
    const before = rounds.due;
    const ticked = ticker.ticked(SCHEDULE_POLLER);
    await channel.notify(SCHEDULE_POLLER);
    await ticked;
    expect(rounds.due).toBe(before + 1);
  });

  it('speaks in health and in the metrics', async () => {
    const { checks } = await indicators.report();
    expect(checks.schedule_poller).toMatchObject({ status: 'ok', must_have: true });
    expect(checks.timetable).toMatchObject({ status: 'warn', failing: 1, must_have: false });
    expect(checks.wake_channel).toMatchObject({ status: 'warn', must_have: false });
    const page = await metrics.page();
    expect(page).toMatch(/horarium_tick_failures_total\{row="run-settler"\} [1-9]/);
    expect(page).toContain('horarium_tick_failures_total{row="schedule-poller"} 0');
    expect(page).toContain('horarium_run_budget 10');
  });

  it('is silent at info while it ticks, and names a failed tick', () => {
    expect(spoken.filter((line) => line.startsWith('log '))).toHaveLength(1);
    expect(spoken).toContain('error RunSettler: A tick failed: settling failed');
    expect(spoken).toContainEqual(expect.stringMatching(/^debug SchedulePoller: Ticked in \d+ ms$/));
  });
});
