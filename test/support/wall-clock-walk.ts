// The oracle of the cron tests: a clock read minute by minute, with no idea of zones, stretches or leaps. Slow on
// purpose, and written without a look at the code it judges.
const MINUTE = 60_000;

export interface Listing {
  readonly text: string;
  readonly everyHour: boolean;
  /** Whether the schedule lists this wall-clock minute; a wall clock is written as if it were UTC. */
  lists(wall: Date): boolean;
}

export type OffsetReader = (instant: number) => number;

/** Every run in [from, to) by the two rules, found by looking at the clock once a minute. */
export function runsByWalking(schedule: Listing, offsetAt: OffsetReader, from: number, to: number): number[] {
  const runs = new Set<number>();
  const shown = new Set<number>();
  // Begin early: what was shown, or skipped, before the window decides what is repeated or moved into it.
  const begin = from - 30 * 60 * MINUTE;
  let previous = begin - MINUTE + offsetAt(begin - MINUTE);
  for (let instant = begin; instant < to; instant += MINUTE) {
    const wall = instant + offsetAt(instant);
    if (!schedule.everyHour) {
      for (let skipped = previous + MINUTE, late = instant; skipped < wall; skipped += MINUTE, late += MINUTE) {
        if (!shown.has(skipped) && schedule.lists(new Date(skipped))) runs.add(late);
      }
    }
    const counts = schedule.everyHour || !shown.has(wall);
    if (counts && schedule.lists(new Date(wall))) runs.add(instant);
    shown.add(wall);
    previous = wall;
  }
  return [...runs].filter((run) => run >= from && run < to).sort((a, b) => a - b);
}

/** Reads the runtime's zones by another door than the domain does, and remembers nothing but the formatter. */
export function offsetReader(zone: string): OffsetReader {
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(
      formatter.format(instant),
    )!;
    if (sign === undefined) return 0;
    const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000;
    return sign === '-' ? -size : size;
  };
}

export interface Transition {
  readonly zone: string;
  /** The first instant with the new offset. */
  readonly at: number;
}

/** When the clocks of a zone change between two instants, to the minute. */
export function transitionsOf(zone: string, from: number, to: number): Transition[] {
  const offsetAt = offsetReader(zone);
  const found: Transition[] = [];
  // No zone changes its clocks twice in five days; Ramadan, the shortest season, has a month.
  const step = 5 * 24 * 60 * MINUTE;
  for (let at = from, offset = offsetAt(from); at < to; at += step) {
    const later = offsetAt(at + step);
    if (offset === later) continue;
    offset = later;
    let [low, high] = [at, at + step];
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle) !== later) low = middle;
      else high = middle;
    }
    found.push({ zone, at: high });
  }
  return found;
}
