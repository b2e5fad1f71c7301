// Benchmarks. The whole application in this process, its timetable running as in production, on a given database; only
// the driver of its assistants is another one, which does nothing at once.
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../src/app.module';
import type { AssistantDriver, AssistantDrivers, Launch, Started } from '../src/agent-run/ports/assistant-driver';
import { AssistantDrivers as Drivers } from '../src/agent-run/ports/assistant-driver';
import { bareEnd } from '../src/agent-run/domain/run-end';
import { Clock } from '../src/kernel/clock';
import { loadConfig } from '../src/platform/config/load-config';
import { createLogger } from '../src/platform/protocol/logging';
import { Ticker } from '../src/scheduler/ticker';
import { SCHEDULE_POLLER } from '../src/scheduler/timetable';
import type { Bench } from './bench';
import type { ScratchDatabase } from './scratch-server';

const END = bareEnd('success', null, { exitCode: 0, output: { text: 'Done.', droppedBytes: 0 } });

/** Milliseconds since 1970 with fractions, by this machine's clock. */
export function exactNow(): number {
  return performance.timeOrigin + performance.now();
}

/** Every run has succeeded by the time that it has started. */
export class InstantDriver implements AssistantDriver {
  /** When each launch reached the driver, by request id. */
  readonly starts = new Map<string, number>();
  /** Starts beyond the first of a request. */
  doubled = 0;
  onStart: (launch: Launch, at: number) => void = () => undefined;

  capabilities(): ReturnType<AssistantDriver['capabilities']> {
    return { outlivesHouse: false, conversations: false };
  }

  start(launch: Launch): Promise<Started> {
    const at = exactNow();
    if (this.starts.has(launch.requestId)) this.doubled += 1;
    else this.starts.set(launch.requestId, at);
    this.onStart(launch, at);
    return Promise.resolve({ ended: Promise.resolve(END) });
  }

  find(): ReturnType<AssistantDriver['find']> {
    return Promise.resolve({ state: 'unknown' });
  }

  status(): ReturnType<AssistantDriver['status']> {
    return Promise.resolve({ state: 'unknown' });
  }

  adopt(): Promise<null> {
    return Promise.resolve(null);
  }

  cancel(): Promise<void> {
    return Promise.resolve();
  }

  leftBehind(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  forget(): Promise<void> {
    return Promise.resolve();
  }

  inspect(): ReturnType<AssistantDriver['inspect']> {
    return Promise.resolve([]);
  }
}

export interface BenchHouse {
  readonly app: INestApplication;
  readonly driver: InstantDriver;
  readonly clock: Clock;
  /** As a change of the tasks wakes it. */
  wakePoller(): void;
  close(): Promise<void>;
}

export async function benchHouse(
  bench: Bench,
  { url }: ScratchDatabase,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchHouse> {
  const driver = new InstantDriver();
  const drivers: AssistantDrivers = { of: () => driver, all: () => [driver] };
  const config = loadConfig(
    {
      HORARIUM_DATA_DIR: bench.folder(),
      DATABASE_URL: url,
      HORARIUM_JWT_SECRET: 'a secret of benchmarks, longer than thirty-two characters',
      HORARIUM_ENCRYPTION_KEY: 'a key of benchmarks, longer than thirty-two characters',
      HORARIUM_LOG_LEVEL: 'warn',
      HORARIUM_LOG_FORMAT: 'line',
      SCHEDULE_MIN_ONCE_DELAY_SECONDS: '0',
      ...env,
    },
    { machineTimezone: 'UTC' },
  );
  const logger = createLogger(config, { write: (line) => bench.say(line.trimEnd()) });
  const module = await Test.createTestingModule({ imports: [AppModule.on({ config, databaseUrl: url }, logger)] })
    .overrideProvider(Drivers)
    .useValue(drivers)
    .compile();
  const app = module.createNestApplication({ logger: false });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= app.close());
  bench.later(close);
  await app.init();
  const ticker = app.get(Ticker);
  return { app, driver, clock: app.get<Clock>(Clock), wakePoller: () => ticker.wake(SCHEDULE_POLLER), close };
}
