// Agent-run. The commands, for cli.ts only. Needs Config, Clock, Ids and CliOutput from global modules, and no database.
import { Module } from '@nestjs/common';
import { AssistantsModule } from './assistants.module';
import { AssistantCommand, AssistantListCommand, AssistantTestCommand } from './inbound/assistants.cli';

@Module({
  imports: [AssistantsModule],
  providers: [AssistantCommand, AssistantListCommand, AssistantTestCommand],
})
export class AgentRunCliModule {}
