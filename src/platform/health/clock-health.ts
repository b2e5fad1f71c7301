// Platform, health. Whether this machine's wall clock agrees with the database's. A warning only: the house goes by
// the database, but logs, certificates and agents go by the machine.
import type { HealthIndicator, HealthReading } from './health-indicators';

export interface ClockState {
  readonly source: 'database' | 'machine';
  readonly aheadOfWallMs: number;
}

const TOLERATED_MS = 1_000;

export class ClockHealth implements HealthIndicator {
  readonly name = 'clock';
  readonly mustHave = false;

  constructor(private readonly clock: { reading(): ClockState }) {}

  check(): HealthReading {
    const { source, aheadOfWallMs } = this.clock.reading();
    const figures = { source, offset_ms: aheadOfWallMs };
    if (source === 'machine') {
      return { status: 'warn', message: 'not yet measured against the database', ...figures };
    }
    if (Math.abs(aheadOfWallMs) <= TOLERATED_MS) return { status: 'ok', ...figures };
    const off = `${Math.abs(aheadOfWallMs / 1_000)} s ${aheadOfWallMs > 0 ? 'behind' : 'ahead of'}`;
    const message = `this machine's clock is ${off} the database's: check its time service (NTP)`;
    return { status: 'warn', message, ...figures };
  }
}
