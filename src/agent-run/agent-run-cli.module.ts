// Agent-run. The commands, for cli.ts only. Needs Config, Clock, Ids and CliOutput from global modules, and no database.
import { Module } from '@nestjs/common';
import { bind } from '../platform/wiring';
import { AssistantsModule } from './assistants.module';
import { AssistantCommand, AssistantListCommand, AssistantTestCommand } from './inbound/assistants.cli';
import { NoOutsideRuns } from './outbound/no-outside-runs';
import { OutsideRuns } from './ports/outside-runs';

@Module({ providers: [bind(OutsideRuns, NoOutsideRuns, [])], exports: [OutsideRuns] })
class WithoutDatabase {}

@Module({
  imports: [AssistantsModule.with(WithoutDatabase)],
  providers: [AssistantCommand, AssistantListCommand, AssistantTestCommand],
})
export class AgentRunCliModule {}
