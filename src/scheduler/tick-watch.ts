// Scheduler. What a tick leaves in the log, under the name of its row, and in the metrics.
import { Logger } from '@nestjs/common';
import { DomainError } from '../kernel/domain-error';
import type { TickMetrics } from '../platform/metrics/tick-metrics';
import type { TickWatch } from './row-keeper';
import type { TimetableRow } from './timetable-row';

export class TickLog implements TickWatch {
  private readonly loggers = new Map<string, Logger>();

  constructor(private readonly metrics: TickMetrics) {}

  ticked(row: TimetableRow, durationMs: number): void {
    this.metrics.ended(row.name, durationMs, false);
    this.logger(row).debug(`Ticked in ${Math.round(durationMs)} ms`);
  }

  failed(row: TimetableRow, durationMs: number, error: unknown, failuresInARow: number): void {
    this.metrics.ended(row.name, durationMs, true);
    const which = failuresInARow === 1 ? 'A tick failed' : `${failuresInARow} ticks in a row failed`;
    // An outage is no fault of the tick: one line each, without the way to where it was noticed.
    if (error instanceof DomainError && error.kind === 'unavailable') {
      this.logger(row).warn(`${which}: ${error.message}`);
    } else {
      this.logger(row).error({ err: error, failures_in_a_row: failuresInARow }, `${which}: ${textOf(error)}`);
    }
  }

  recovered(row: TimetableRow, failures: number): void {
    this.logger(row).log(`Ticks again, after ${failures} ${failures === 1 ? 'failure' : 'failures'}`);
  }

  private logger(row: TimetableRow): Logger {
    const logger = this.loggers.get(row.logger) ?? new Logger(row.logger);
    this.loggers.set(row.logger, logger);
    return logger;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
