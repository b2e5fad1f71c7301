// Scheduler. What health says of the timetable.
import type { Clock } from '../kernel/clock';
import type { HealthIndicator, HealthReading } from '../platform/health/health-indicators';
import type { RowReading } from './row-keeper';

/** The reason of the whole house: no poller, no starts. */
export class PollerHealth implements HealthIndicator {
  readonly name = 'schedule_poller';
  readonly mustHave = true;

  constructor(
    private readonly rows: () => RowReading[],
    private readonly poller: string,
    private readonly clock: Clock,
  ) {}

  check(): HealthReading {
    const reading = this.rows().find(({ row }) => row.name === this.poller);
    const { rhythm } = reading?.row ?? {};
    if (reading?.openedAt == null || rhythm === undefined || !('atMostMs' in rhythm)) {
      return { status: 'fail', message: 'the poller has not been started', age_seconds: null };
    }
    const last = reading.lastSucceededAt ?? reading.openedAt;
    const age_seconds = Math.max(0, this.clock.now().getTime() - last.getTime()) / 1_000;
    // Three missed rounds, and ten seconds more for a round that has much to do.
    const limit = (3 * rhythm.atMostMs) / 1_000 + 10;
    if (age_seconds <= limit) return { status: 'ok', age_seconds };
    return { status: 'fail', message: `no round of the poller has succeeded for ${age_seconds} s`, age_seconds };
  }
}

/** The other rows: a failing one is for people to see, and no reason to take the process out of service. */
export class TimetableHealth implements HealthIndicator {
  readonly name = 'timetable';
  readonly mustHave = false;

  constructor(private readonly rows: () => RowReading[]) {}

  check(): HealthReading {
    const failing = this.rows().filter(({ failuresInARow }) => failuresInARow > 0);
    const figures = { rows: this.rows().length, failing: failing.length };
    if (failing.length === 0) return { status: 'ok', ...figures };
    const names = failing.map(({ row, failuresInARow }) => `${row.name} (${failuresInARow} in a row)`);
    return { status: 'warn', message: `failing: ${names.join(', ')}; the log says why`, ...figures };
  }
}

/** Wakes from other processes: without them a start waits for the next poll, and that is all. */
export class WakeHealth implements HealthIndicator {
  readonly name = 'wake_channel';
  readonly mustHave = false;

  constructor(private readonly channel: { readonly state: string }) {}

  check(): HealthReading {
    const { state } = this.channel;
    if (state === 'listening') return { status: 'ok', state };
    return { status: 'warn', message: 'no wakes from other processes: they are found by polling', state };
  }
}
