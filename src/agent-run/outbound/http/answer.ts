// Outbound, http driver. What a service's answer says about the run: taken, done, refused, or not even looked at. Pure.
import type { OutboundAnswer } from '../../../platform/http/outbound-http';
import { bareEnd, type RunEnd } from '../../domain/run-end';
import { toldBy } from '../../domain/told-result';

export type Meaning =
  /** The service works on it, or may: it reports later. */
  | { readonly is: 'taken' }
  | { readonly is: 'ended'; readonly end: RunEnd }
  /** Certainly nothing runs. */
  | { readonly is: 'refused'; readonly why: string }
  /** Certainly nothing runs, and another attempt may go better; when there is none, `then` holds. */
  | { readonly is: 'not-taken'; readonly then: Exclude<Meaning, { readonly is: 'not-taken' }> };

type Answer = Pick<OutboundAnswer, 'status' | 'headers' | 'body' | 'url'>;

export function meaningOf(answer: Answer, now: Date): Meaning {
  const { status, url } = answer;
  if (status === 202) return { is: 'taken' };
  if (status >= 200 && status < 300) return { is: 'ended', end: resultOf(answer, now) };
  const why = `${url} answered ${status}${excerpt(answer)}`;
  if (status === 429) return { is: 'not-taken', then: { is: 'ended', end: slowDown(answer, why, now) } };
  if ([408, 425, 503].includes(status)) return { is: 'not-taken', then: { is: 'refused', why } };
  // It was at it when it failed: nobody knows what it had done by then.
  if (status >= 500) return { is: 'ended', end: bareEnd('error', why) };
  if (status >= 300 && status < 400) return { is: 'refused', why: `${why} (give the address that it redirects to)` };
  return { is: 'refused', why };
}

function resultOf(answer: Answer, now: Date): RunEnd {
  const text = answer.body.toString('utf8').replaceAll('\0', '\uFFFD');
  const output = { text, droppedBytes: 0 };
  const told = toldBy(parsed(text), now);
  if (told === null) return bareEnd('success', null, { output });
  return bareEnd(told.error === null ? 'success' : 'error', told.error, { ...told, output });
}

function slowDown(answer: Answer, why: string, now: Date): RunEnd {
  return bareEnd('error', why, { reason: 'rate_limited', retryAt: retryAfter(answer.headers['retry-after'], now) });
}

/** Seconds, or a date. */
export function retryAfter(header: string | string[] | undefined, now: Date): Date | null {
  if (typeof header !== 'string') return null;
  const moment = /^\d{1,8}$/.test(header) ? new Date(now.getTime() + Number(header) * 1_000) : new Date(header);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

function excerpt({ body }: Answer): string {
  const text = body.subarray(0, 1_000).toString('utf8').replaceAll('\0', ' ').trim().split('\n')[0]?.trim() ?? '';
  return text === '' ? '.' : `: ${text.slice(0, 300)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
