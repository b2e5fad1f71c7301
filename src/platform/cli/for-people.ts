// Platform, command line. How things are shown to people: moments on a wall clock, lengths of time, texts of others.

/** `2027-03-01 09:00:00+01:00`, on the wall clock of the zone; a dash for none. */
export function localTime(moment: string | null | undefined, zone: string): string {
  if (moment === null || moment === undefined) return '-';
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(new Date(moment))
      .map(({ type, value }) => [type, value]),
  );
  const { year = '', month, day, hour, minute, second, timeZoneName = '' } = parts;
  const offset = timeZoneName.replace('GMT', '') || '+00:00';
  return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}${offset}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A zone that only the server knows is read in UTC: the offset says so. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const shape = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  } as const;
  let clock: Intl.DateTimeFormat;
  try {
    clock = new Intl.DateTimeFormat('en-US', { ...shape, timeZone: zone });
  } catch {
    clock = new Intl.DateTimeFormat('en-US', { ...shape, timeZone: 'UTC' });
  }
  clocks.set(zone, clock);
  return clock;
}

/** Two units at most: `350 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`. */
export function lasting(ms: number): string {
  if (ms < 0) return `-${lasting(-ms)}`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 1_440) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return pair(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** From one moment to another; a dash when one is missing. */
export function between(start: string | null, end: string | null): string {
  return start === null || end === null ? '-' : lasting(Date.parse(end) - Date.parse(start));
}

/**
 * A text that somebody else wrote, safe for a terminal: control characters could move the cursor, retitle the window or
 * hide what stands before them, and so could marks that turn the direction of writing.
 */
export function visible(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** The same on one line, cut to a width. */
export function inOneLine(text: string, width: number): string {
  const characters = [...visible(text.replaceAll(/\s+/g, ' ').trim())];
  return characters.length <= width ? characters.join('') : `${characters.slice(0, width - 1).join('')}…`;
}

/** Names and values, one a line, the values under each other. */
export function sheet(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  const below = `\n${' '.repeat(width + 2)}`;
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${value.replaceAll('\n', below)}`).join('\n');
}
