// Domain. How the cron lesson's scheduler (`.scheduled_tasks.json`) reads an expression, as far as it differs from ours: there a
// step counts multiples of its number, here it counts from the first value. In minutes, hours and days of the week, which
// begin at 0, that is the same; in days of the month and months it is not.
import { DAY_FIELD, MONTH_FIELD } from './cron-field';

export interface OtherReading {
  /** In words, for the person who imports: what it means there and here, and how to write it here to keep the meaning. */
  readonly words: string;
  /** The expression that means here what the given one means there; null when none does. */
  readonly keeping: string | null;
}

const STEP = /^\*\/(\d{1,4})$/;

/** Null when the five fields mean the same days in both. */
export function otherReading(cron: string): OtherReading | null {
  const fields = cron.trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || day === undefined || month === undefined) return null;
  const changed = [kept('day of the month', day, DAY_FIELD.max), kept('month', month, MONTH_FIELD.max)];
  const words = changed.flatMap((one) => one?.words ?? []);
  if (words.length === 0) return null;
  const [keptDay, keptMonth] = [changed[0]?.field ?? day, changed[1]?.field ?? month];
  const never = changed.some((one) => one !== null && one.field === null);
  const keeping = never ? null : [minute, hour, keptDay, keptMonth, weekday].join(' ');
  const advice = keeping === null ? 'There it never ran.' : `Write "${keeping}" to keep the meaning.`;
  return { words: `${words.join(' ')} ${advice}`, keeping };
}

interface Kept {
  readonly field: string | null;
  readonly words: string;
}

function kept(name: string, field: string, max: number): Kept | null {
  const parts = field.split(',');
  const steps = parts.map((part) => Number(STEP.exec(part)?.[1] ?? 0));
  // Every first value is a multiple of 1.
  if (steps.every((step) => step <= 1)) return null;
  const there = parts.flatMap((part, nr) => {
    const step = steps[nr] ?? 0;
    if (step <= 1) return [part];
    return step > max ? [] : [`${step}-${max}/${step}`];
  });
  const multiples = steps.filter((step) => step > 1).map((step) => `${[1, 2, 3].map((nr) => nr * step).join(', ')} …`);
  const counted = steps
    .filter((step) => step > 1)
    .map((step) => `${[0, 1, 2].map((nr) => 1 + nr * step).join(', ')} …`);
  return {
    field: there.length === 0 ? null : there.join(','),
    words: `"${field}" as ${name} was ${multiples.join(' and ')} there, and is ${counted.join(' and ')} here.`,
  };
}
