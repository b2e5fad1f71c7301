// Domain. A time zone as what it is: stretches of time in which the wall clock is a constant offset ahead of UTC. Where
// the offsets come from is in zone-offsets.ts, which names are zones in kernel/zone-name.ts. The version of the time-zone
// database is not known here: it belongs to the process, and the doors show it.
import { zoneNameProblem } from '../../kernel/zone-name';
import { DAY, HOUR } from './calendar';
import { InvalidTimezoneError } from './schedule-errors';
import { offsetSource } from './zone-offsets';
import type { OffsetSource } from './zone-offsets';

/** All in milliseconds; instants since 1970-01-01T00:00Z. */
export interface Stretch {
  /** When the offset began to hold, if that was within the last two days before the block; else some instant since. */
  readonly start: number;
  /** Exclusive. The next change, or the end of the block: then the next stretch goes on with the same offset. */
  readonly end: number;
  readonly offset: number;
  /** The offset until `start`; equal to `offset` when nothing changed there. */
  readonly before: number;
}

/** What a clock change did to a wall-clock time: skipped it, so it comes later; or repeated it, and the first counts. */
export type ClockChange = 'moved' | 'repeated';

export interface WallReading {
  readonly instant: number;
  readonly clockChange?: ClockChange;
}

/**
 * Offsets are looked up in blocks, each kept. Days are sampled one by one, which finds every change: in the whole
 * database no zone ever changed its offset twice within three days.
 */
const BLOCK = 32 * DAY;
const LOOK_BACK = 2 * DAY;
const MOST_BLOCKS = 128;
/** Further than any zone was ever away from UTC (Manila, -15:56). */
export const FURTHEST_OFFSET = 16 * HOUR;

export class TimeZone {
  readonly #offsetAt: OffsetSource;
  readonly #blocks = new Map<number, readonly Stretch[]>();

  /** Use `timeZone(name)`, which checks the name. Tests hand in a source of their own to make clocks change at will. */
  constructor(
    readonly name: string,
    source: OffsetSource,
  ) {
    this.#offsetAt = source;
  }

  stretchAt(instant: number): Stretch {
    const index = Math.floor(instant / BLOCK);
    for (const stretch of this.#block(index)) if (instant < stretch.end) return stretch;
    throw new Error(`Time zone ${this.name} has a hole at ${instant}.`);
  }

  offsetAt(instant: number): number {
    return this.stretchAt(instant).offset;
  }

  /**
   * The instant of a wall-clock time (written as if it were UTC), by the rules of RFC 5545: a time that the clock skips
   * comes later by the length of the jump, of a time that it repeats the first showing counts.
   */
  instantOf(wall: number): WallReading {
    for (let at = wall - FURTHEST_OFFSET; at <= wall + FURTHEST_OFFSET;) {
      const { start, end, offset, before } = this.stretchAt(at);
      const shown = wall - offset;
      if (shown >= start && shown < end)
        return this.isShownAgain(shown) ? { instant: shown, clockChange: 'repeated' } : { instant: shown };
      if (wall >= start + before && wall < start + offset) return { instant: wall - before, clockChange: 'moved' };
      at = end;
    }
    throw new Error(`Time zone ${this.name} never shows ${wall}.`);
  }

  /** Whether the wall clock will show again, after a change that follows, what it shows at `instant`. */
  isShownAgain(instant: number): boolean {
    const offset = this.offsetAt(instant);
    for (let at = instant; at <= instant + DAY;) {
      const { start, end, offset: later } = this.stretchAt(at);
      if (later < offset && instant + offset - later >= start && instant + offset - later < end) return true;
      at = end;
    }
    return false;
  }

  #block(index: number): readonly Stretch[] {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    if (this.#blocks.size >= MOST_BLOCKS) this.#blocks.clear();
    const made = this.#lookUp(index * BLOCK, (index + 1) * BLOCK);
    this.#blocks.set(index, made);
    return made;
  }

  /** Begins two days early: what a change skips or repeats may reach into the block from before it. */
  #lookUp(from: number, to: number): readonly Stretch[] {
    const stretches: Stretch[] = [];
    let start = from - LOOK_BACK;
    let offset = this.#offsetAt(start);
    let before = offset;
    for (let day = start + DAY; day <= to; day += DAY) {
      const atDay = this.#offsetAt(day);
      while (offset !== atDay) {
        const change = this.#firstChange(Math.max(start, day - DAY), day, offset);
        // A change at the very end belongs to the next block.
        if (change === to) break;
        if (change > from) stretches.push({ start, end: change, offset, before });
        before = offset;
        start = change;
        offset = this.#offsetAt(change);
      }
    }
    stretches.push({ start, end: to, offset, before });
    return stretches;
  }

  /** Changes happen on whole seconds. */
  #firstChange(from: number, to: number, offset: number): number {
    let low = from / 1000;
    let high = to / 1000;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle * 1000) === offset) low = middle;
      else high = middle;
    }
    return high * 1000;
  }
}

/** One object for a name: what was looked up is shared, and zones can be compared by identity. Bounded by the names. */
const zones = new Map<string, TimeZone>();

/** Throws an InvalidTimezoneError that says what would be right. */
export function timeZone(name: string): TimeZone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const problem = zoneNameProblem(name);
  if (problem !== undefined) throw new InvalidTimezoneError(problem);
  const made = new TimeZone(name, offsetSource(name));
  zones.set(name, made);
  return made;
}
