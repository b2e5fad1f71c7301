// Platform, command line. Lengths of time as people write them: 90s, 10m, 1h30m, 2d.
import { UsageError } from './api-errors';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;
const WHOLE = /^(?:\d{1,9}[smhdw])+$/;

export function isDuration(text: string): boolean {
  return WHOLE.test(text);
}

/** In seconds. A bare number is refused: 10 of what? @throws UsageError */
export function parseDuration(option: string, text: string): number {
  const trimmed = text.trim().toLowerCase();
  if (!isDuration(trimmed)) throw new UsageError(`${option} takes a length of time such as 90s, 10m, 1h30m or 2d.`);
  return [...trimmed.matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * SECONDS[unit as keyof typeof SECONDS],
    0,
  );
}
