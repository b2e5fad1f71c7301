// The identity module alone behind the house's HTTP front, on a database of its own, with a clock that is set by hand.
import { Controller, Get, Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { LoggerModule } from 'nestjs-pino';
import type { UserActor } from '../../../src/kernel/actor';
import { Clock } from '../../../src/kernel/clock';
import { Ids } from '../../../src/kernel/ids';
import { AuthCliModule } from '../../../src/platform/auth/auth-cli.module';
import { CurrentActor, Public, RequireRole } from '../../../src/platform/auth';
import { ConfigModule } from '../../../src/platform/config/config.module';
import { loadConfig } from '../../../src/platform/config/load-config';
import { configureHttp, HTTP_OPTIONS } from '../../../src/platform/http-server';
import { Sessions } from '../../../src/platform/persistence/sessions';
import { CliOutput } from '../../../src/platform/protocol/cli-output';
import { createLogger, loggerParams } from '../../../src/platform/protocol/logging';
import { RandomIds } from '../../../src/platform/random-ids';
import { testDatabase, type TestDatabase } from '../../support/database';

@Controller('doors')
class DoorsController {
  @Public()
  @Get('public')
  open(): unknown {
    return { open: true };
  }

  @Get('anyone')
  anyone(@CurrentActor() actor: UserActor): unknown {
    return actor;
  }

  @RequireRole('manager', 'operator')
  @Get('managers')
  managers(): unknown {
    return { open: true };
  }
}

export class HandClock implements Clock {
  time = Date.UTC(2026, 10, 30, 12);
  now(): Date {
    return new Date(this.time);
  }
}

/** What a command said and how it ended. */
export class RecordedTerminal {
  stdout = '';
  stderr = '';
  code = 0;
  readonly terminal = {
    out: (text: string) => void (this.stdout += text),
    err: (text: string) => void (this.stderr += text),
    exitCode: (code: number) => void (this.code = code),
  };

  clear(): void {
    this.stdout = this.stderr = '';
    this.code = 0;
  }
}

export interface AuthApp {
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  readonly clock: HandClock;
  readonly terminal: RecordedTerminal;
  readonly lines: string[];
  close(): Promise<void>;
}

/** @param prepare what is to happen before the list of routes is shut */
export async function authApp(prepare: (app: NestExpressApplication) => void = () => undefined): Promise<AuthApp> {
  const database = await testDatabase();
  const clock = new HandClock();
  const terminal = new RecordedTerminal();
  const config = loadConfig(
    { HORARIUM_JWT_SECRET: 'a-secret-of-at-least-32-characters!', HORARIUM_LOG_LEVEL: 'trace' },
    { machineTimezone: 'UTC' },
  );
  const lines: string[] = [];
  const logger = createLogger(config, { write: (line) => lines.push(line) });

  @Global()
  @Module({
    providers: [
      { provide: Sessions, useValue: database.sessions },
      { provide: Clock, useValue: clock },
      { provide: Ids, useValue: new RandomIds(clock) },
      { provide: CliOutput, useValue: new CliOutput(terminal.terminal) },
    ],
    exports: [Sessions, Clock, Ids, CliOutput],
  })
  class GroundModule {}

  @Module({
    imports: [LoggerModule.forRoot(loggerParams(logger)), ConfigModule.with(config), GroundModule, AuthCliModule],
    controllers: [DoorsController],
  })
  class RootModule {}

  const app = await NestFactory.create<NestExpressApplication>(RootModule, HTTP_OPTIONS);
  configureHttp(app, config, logger);
  prepare(app);
  // Listening, since supertest would open and close the server around every request.
  await app.listen(0, '127.0.0.1');
  const close = async (): Promise<void> => {
    await app.close();
    await database.close();
  };
  return { app, database, clock, terminal, lines, close };
}
