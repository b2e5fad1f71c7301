// Platform, health. Which rules of time zones this process computes with (IANA, as built into Node).
import type { HealthIndicator, HealthReading } from './health-indicators';

export class TimeZoneHealth implements HealthIndicator {
  readonly name = 'time_zones';
  readonly mustHave = true;

  constructor(private readonly version: string | null = process.versions.tz ?? null) {}

  check(): HealthReading {
    if (this.version === null) {
      const message = 'this build of Node has no time zones of its own (ICU): install an official one';
      return { status: 'fail', message, version: null };
    }
    return { status: 'ok', version: this.version };
  }
}
