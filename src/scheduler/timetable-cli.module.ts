// Scheduler. The command, for cli.ts only. Needs Config, Clock, ApiClient and CliOutput from a global module, and no database.
import { Module } from '@nestjs/common';
import { Clock } from '../kernel/clock';
import { ApiClient } from '../platform/cli/api-client';
import { Config } from '../platform/config/config';
import { provide } from '../platform/wiring';
import { timetable } from './timetable';
import { TimetableCommand } from './timetable.cli';
import { TimetableReader } from './timetable-lookup';

@Module({ providers: [provide(TimetableReader, reader, [Config, ApiClient, Clock]), TimetableCommand] })
export class TimetableCliModule {}

function reader(config: Config, api: ApiClient, clock: Clock): TimetableReader {
  const { schedulePollIntervalSeconds: pollIntervalSeconds, channelRenewalIntervalHours } = config;
  const entries = timetable({ pollIntervalSeconds, channelRenewalIntervalHours });
  return new TimetableReader(api, entries, clock);
}
