// Platform, command line. What every command finds in the container. No database: that is cli-database.module.ts.
import { type DynamicModule, Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Ids } from '../../kernel/ids';
import { DatabaseClock } from '../clock';
import { Config } from '../config/config';
import { CliOutput } from '../protocol/cli-output';
import { RandomIds } from '../random-ids';
import { bind, provide } from '../wiring';
import { ApiClient } from './api-client';
import { HomeZone } from './api-command';
import { apiSettings } from './server-address';

@Module({})
export class CliGroundModule {
  static with(config: Config, output: CliOutput): DynamicModule {
    return {
      module: CliGroundModule,
      global: true,
      providers: [
        { provide: Config, useValue: config },
        { provide: CliOutput, useValue: output },
        // This machine's time: a command is over before it could be compared with the database's.
        provide(Clock, () => new DatabaseClock(neverAsked), []),
        bind(Ids, RandomIds, [Clock]),
        provide(ApiClient, async () => new ApiClient(await apiSettings(config)), []),
        provide(HomeZone, () => new HomeZone(config.defaultTimezone), []),
      ],
      exports: [Config, CliOutput, Clock, Ids, ApiClient, HomeZone],
    };
  }
}

function neverAsked(): Promise<Date> {
  return Promise.reject(new Error('the command line does not measure its clock'));
}
