// Outbound adapter, fills FaultLog with the log.
import { Logger } from '@nestjs/common';
import type { FaultLog } from '../ports/fault-log';

export class LoggedFaults implements FaultLog {
  private readonly logger = new Logger('AgentRuns');

  report(what: string, error: unknown): void {
    this.logger.error({ err: error }, what);
  }
}
