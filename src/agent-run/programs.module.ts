// Agent-run without a database: the assistants of this machine, for its command line and for a machine that works for a house
// somewhere else. Needs Config, Clock and Ids from global modules.
import { Module } from '@nestjs/common';
import { bind } from '../platform/wiring';
import { AssistantsModule } from './assistants.module';
import { NoOutsideRuns } from './outbound/no-outside-runs';
import { OutsideRuns } from './ports/outside-runs';

@Module({ providers: [bind(OutsideRuns, NoOutsideRuns, [])], exports: [OutsideRuns] })
class WithoutDatabase {}

const ASSISTANTS = AssistantsModule.with(WithoutDatabase);

@Module({ imports: [ASSISTANTS], exports: [ASSISTANTS] })
export class ProgramsModule {}
