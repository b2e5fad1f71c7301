// Platform, health. Is the database there, how far is it, and does its schema fit this program?
import { Logger } from '@nestjs/common';
import { systemActor } from '../../kernel/actor';
import type { MigrationState } from '../persistence/migration-state';
import type { Sessions } from '../persistence/sessions';
import type { HealthIndicator, HealthReading } from './health-indicators';

const READ_ONLY = "select current_setting('transaction_read_only') = 'on' as readonly";
const PROBE = systemActor('health probe');

export class DatabaseHealth implements HealthIndicator {
  readonly name = 'database';
  readonly mustHave = true;
  private readonly logger = new Logger('Health');

  constructor(private readonly sessions: Sessions) {}

  async check(): Promise<HealthReading> {
    const began = performance.now();
    let readOnly: boolean | undefined;
    try {
      const [row] = await this.sessions.run(PROBE, (tx) => tx.query<{ readonly: boolean }>(READ_ONLY));
      readOnly = row?.readonly;
    } catch (error) {
      this.logger.debug(`The database cannot be reached: ${String(error)}`);
      return { status: 'fail', message: 'the database cannot be reached; the log says why' };
    }
    if (readOnly === true) {
      return { status: 'fail', message: 'the database takes no writes: a standby, or a primary that is one no more' };
    }
    return { status: 'ok', latency_ms: Math.round((performance.now() - began) * 10) / 10 };
  }
}

export class MigrationsHealth implements HealthIndicator {
  readonly name = 'migrations';
  readonly mustHave = true;

  constructor(private readonly migrations: MigrationState) {}

  async check(): Promise<HealthReading> {
    const { applied, missing, unknown } = await this.migrations.read();
    if (missing.length > 0) {
      const message = `${missing.length} migrations are missing, the first is ${missing[0]}: restart with this version`;
      return { status: 'fail', message, applied: applied.length, missing: missing.length };
    }
    // A newer version has been here: normal while processes are replaced one by one, as shapes change in two steps.
    if (unknown.length > 0) {
      const message = `the database is ahead of this program by ${unknown.length} migrations`;
      return { status: 'warn', message, applied: applied.length, missing: 0 };
    }
    return { status: 'ok', applied: applied.length, missing: 0 };
  }
}
