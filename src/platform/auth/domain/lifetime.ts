// Auth, domain. How long a token or a key lives, as an operator writes it: 90s, 30m, 12h, 7d, or a number of seconds.
import { IdentityInvalidError } from './errors';

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 };
const LONGEST_SECONDS = 3_660 * 86_400;

/** @throws IdentityInvalidError */
export function parseLifetime(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,10})([smhd]?)$/.exec(text.trim()) ?? [];
  return lifetime(digits === '' ? Number.NaN : Number(digits) * (SECONDS[unit] ?? Number.NaN));
}

/** @throws IdentityInvalidError */
export function lifetime(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= LONGEST_SECONDS) return seconds;
  throw new IdentityInvalidError('ttl', 'ttl must be a time from 1 second to 10 years: 90s, 30m, 12h, 7d');
}

export function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1_000);
}
