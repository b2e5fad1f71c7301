// Platform, protocol. A log line for reading: `09:00:05 INFO  SchedulePoller  claimed 3 tasks  batch=3`.
// Made from pino's own line, so that both formats hold the same facts.

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO ',
  40: 'WARN ',
  50: 'ERROR',
  60: 'FATAL',
};
const COLOURS: Readonly<Record<number, number>> = { 10: 90, 20: 90, 30: 32, 40: 33, 50: 31, 60: 35 };

interface Entry {
  readonly level?: number;
  readonly time?: number | string;
  readonly msg?: string;
  readonly context?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [more: string]: unknown;
}

const SHOWN = new Set(['level', 'time', 'msg', 'context', 'err', 'pid', 'hostname']);

export function readableLine(json: string, colours: boolean): string {
  let entry: Entry;
  try {
    entry = JSON.parse(json) as Entry;
  } catch {
    return json;
  }
  const paint = (code: number, text: string): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  const level = entry.level ?? 30;
  const facts = Object.entries(entry)
    .filter(([key]) => !SHOWN.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const line = [
    paint(90, clockTime(entry.time)),
    paint(COLOURS[level] ?? 32, LEVELS[level] ?? 'INFO '),
    paint(36, entry.context ?? '-'),
    entry.msg ?? entry.err?.message ?? '',
    paint(90, facts.join(' ')),
  ];
  const trace = entry.err?.stack ?? entry.err?.message;
  return `${line.join('  ').trimEnd()}\n${trace === undefined ? '' : `${trace.replace(/^/gm, '    ')}\n`}`;
}

/** In the machine's zone: that is where the reader sits. */
function clockTime(time: Entry['time']): string {
  return time === undefined ? '--:--:--' : new Date(time).toTimeString().slice(0, 8);
}
