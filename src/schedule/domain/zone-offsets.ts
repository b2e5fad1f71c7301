// Domain. How far a zone's wall clock is ahead of UTC at an instant, asked of the runtime's time-zone database. The one
// place that touches Intl; replace it to use another database. Not date-fns-tz: around a clock change its answers
// depend on the zone and on the machine's own zone.
import { DAY, HOUR, MINUTE, dayNumber } from './calendar';

/** Milliseconds ahead of UTC. Whole seconds: before standard time, zones were local mean times such as -4:56:02. */
export type OffsetSource = (instant: number) => number;

/** Before this, every zone stood still in its local mean time, and the runtime writes years in ways of its own. */
const EARLIEST = dayNumber(1000, 1, 1) * DAY;
const LATEST = 8.64e15 - 2 * DAY;

/** A formatter takes tens of kilobytes and a fraction of a millisecond to make; offsets once read are kept elsewhere. */
const MOST_FORMATTERS = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

const SHAPE = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;

export function offsetSource(zone: string): OffsetSource {
  return (instant) => {
    const second = Math.floor(Math.min(Math.max(instant, EARLIEST), LATEST) / 1000) * 1000;
    const shown = formatter(zone).format(second);
    const parts = SHAPE.exec(shown);
    if (parts === null) throw new Error(`The runtime shows ${second} in ${zone} as "${shown}".`);
    const [month, day, year, hour, minute, seconds] = parts.slice(1).map(Number) as Six;
    return dayNumber(year, month, day) * DAY + hour * HOUR + minute * MINUTE + seconds * 1000 - second;
  };
}

type Six = [number, number, number, number, number, number];

function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  if (formatters.size >= MOST_FORMATTERS) formatters.clear();
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}
