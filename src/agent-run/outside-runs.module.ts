// Agent-run, the part of its storage that drivers need: runs that agents outside execute. Needs Sessions and WakeChannel from
// global modules.
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Sessions } from '../platform/persistence/sessions';
import { WakeChannel } from '../platform/persistence/wake-channel';
import { bind } from '../platform/wiring';
import { SqlOutsideRuns } from './outbound/sql-outside-runs';
import { OutsideRuns } from './ports/outside-runs';

@Module({
  providers: [bind(OutsideRuns, SqlOutsideRuns, [Sessions, WakeChannel])],
  exports: [OutsideRuns],
})
export class OutsideRunsModule implements OnApplicationShutdown {
  constructor(@Inject(OutsideRuns) private readonly outside: OutsideRuns) {}

  async onApplicationShutdown(): Promise<void> {
    await this.outside.stop();
  }
}
