// Agent-run. The commands, for cli.ts only. Needs Config, Clock, Ids and CliOutput from global modules, and no database.
import { Module } from '@nestjs/common';
import { AssistantCommand, AssistantListCommand, AssistantTestCommand } from './inbound/assistants.cli';
import { ProgramsModule } from './programs.module';

@Module({
  imports: [ProgramsModule],
  providers: [AssistantCommand, AssistantListCommand, AssistantTestCommand],
})
export class AgentRunCliModule {}
