// Schedule. The commands, for cli.ts only. They ask the server, so nothing of the schedule itself is loaded with them.
import { Module } from '@nestjs/common';
import { CronCommand, CronNextCommand } from './inbound/cron.cli';
import { RUN_COMMANDS, RunCommand, RunsCommand } from './inbound/runs.cli';
import { TASK_COMMANDS, TaskCommand } from './inbound/tasks.cli';

@Module({
  providers: [TaskCommand, ...TASK_COMMANDS, RunsCommand, RunCommand, ...RUN_COMMANDS, CronCommand, CronNextCommand],
})
export class ScheduleCliModule {}
