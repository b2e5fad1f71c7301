// Scheduler. The command, for cli.ts only. Needs Config, Clock and CliOutput from global modules, and no database.
import { Module } from '@nestjs/common';
import { Clock } from '../kernel/clock';
import { Config } from '../platform/config/config';
import { DataFolder } from '../platform/data-folder/data-folder';
import { provide } from '../platform/wiring';
import { timetable } from './timetable';
import { TimetableCommand } from './timetable.cli';
import { TimetableReader } from './timetable-lookup';

@Module({ providers: [provide(TimetableReader, reader, [Config, Clock]), TimetableCommand] })
export class TimetableCliModule {}

function reader(config: Config, clock: Clock): TimetableReader {
  const { host, port, dataDir, schedulePollIntervalSeconds: pollIntervalSeconds } = config;
  const settings = { host, port, tokenFile: DataFolder.at(dataDir).operatorToken };
  return new TimetableReader(settings, timetable({ pollIntervalSeconds }), clock);
}
