// Platform, configuration. Variables that look like settings and are none: a spelling mistake must not stay silent.
import { Config } from './config';
import { settingsOf } from './setting';

/** Set by the house itself for the programs it starts, which may well call the house's own commands. */
const TOLD_TO_AGENTS = new Set([
  'HORARIUM_RUN_ID',
  'HORARIUM_TASK_ID',
  'HORARIUM_THREAD_ID',
  'HORARIUM_AGENT_RUN_ID',
  'HORARIUM_TRIGGER',
  'HORARIUM_SCHEDULED_FOR',
  'HORARIUM_NON_INTERACTIVE',
]);

/** One warning for each unknown HORARIUM_… or SCHEDULE_… variable, with the nearest name that exists. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = settingsOf(Config).map((setting) => setting.env);
  return Object.keys(env)
    .filter((name) => /^(HORARIUM|SCHEDULE)_/.test(name) && !known.includes(name) && !TOLD_TO_AGENTS.has(name))
    .sort()
    .map((name) => {
      const nearest = nearestTo(name, known);
      return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
    });
}

function nearestTo(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((other) => ({ other, steps: editDistance(name, other) })).sort((a, b) => a.steps - b.steps);
  const best = ranked[0];
  // Half of a name in common is the least for a helpful guess.
  return best !== undefined && best.steps <= name.length / 2 ? best.other : undefined;
}

/** Levenshtein's distance: the fewest single-character changes that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
