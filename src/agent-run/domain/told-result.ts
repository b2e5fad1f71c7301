// Domain. What an agent tells about its run in JSON: as the last line of a program, as the body of an answer, as the report
// of an agent that fetched its work. The same words everywhere; those of well-known command-line agents are understood too.
import type { EndReason } from './run-end';
import { usage, type Usage } from './usage';

export interface ToldResult {
  readonly result: string | null;
  /** Null: it succeeded. */
  readonly error: string | null;
  readonly reason: EndReason | null;
  readonly retryAt: Date | null;
  readonly usage: Usage | null;
  readonly agentSession: string | null;
}

type Json = Readonly<Record<string, unknown>>;

const MARKS = ['result', 'response', 'error', 'is_error', 'usage', 'rate_limited', 'input_needed', 'agent_session'];
const LONGEST_SESSION = 512;

/** Null when it says none of what a result says: then it is an answer that happens to be JSON. */
export function toldBy(value: unknown, now: Date): ToldResult | null {
  if (!isObject(value) || !MARKS.some((mark) => mark in value)) return null;
  const answer = text(value['result']) ?? text(value['response']);
  const reason = reasonOf(value);
  const error = errorOf(value, answer) ?? (reason === null ? null : WITHOUT_WORDS[reason]);
  return {
    result: answer,
    error,
    reason: error === null ? null : reason,
    retryAt: reason === 'rate_limited' ? retryAt(value, now) : null,
    usage: usageOf(value),
    agentSession: sessionOf(value),
  };
}

/**
 * Out of what a program printed: its last line, or all of it, or a line for each event as some agents print them. Then
 * the answer, the use and the session may stand in different lines; whether it failed says the last.
 */
export function toldIn(output: string, lastLine: string, now: Date): ToldResult | null {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const last = parsed(lastLine);
  if (last === undefined) return output.trimStart().startsWith('{') ? toldBy(parsed(output), now) : null;
  const events = lines.length > 1 ? lines.map(parsed) : [];
  if (events.length === 0 || events.includes(undefined)) return toldBy(last, now);
  const told = toldBy(last, now);
  let found = false;
  let folded: Pick<ToldResult, 'result' | 'usage' | 'agentSession'> = { result: null, usage: null, agentSession: null };
  for (const event of [...events, last]) {
    if (event === undefined) continue;
    const one = {
      result: text(event['result']) ?? messageOf(event),
      usage: usageOf(event),
      agentSession: sessionOf(event),
    };
    found ||= one.result !== null || one.usage !== null || one.agentSession !== null;
    folded = {
      result: one.result ?? folded.result,
      usage: one.usage ?? folded.usage,
      agentSession: one.agentSession ?? folded.agentSession,
    };
  }
  if (told === null && !found) return null;
  return { error: told?.error ?? null, reason: told?.reason ?? null, retryAt: told?.retryAt ?? null, ...folded };
}

const WITHOUT_WORDS: Readonly<Record<EndReason, string>> = {
  rate_limited: 'The agent was told to slow down (rate limit).',
  input_needed: 'The agent asked a question, and nobody was there to answer it.',
};

function reasonOf(value: Json): EndReason | null {
  if (value['input_needed'] === true) return 'input_needed';
  return value['rate_limited'] === true ? 'rate_limited' : null;
}

function errorOf(value: Json, answer: string | null): string | null {
  const error = value['error'];
  const said = isObject(error) ? text(error['message']) : error === false ? null : text(error);
  if (said !== null && said.trim() !== '') return shortened(said);
  return value['is_error'] === true ? shortened(answer ?? 'The agent says that it failed.') : null;
}

function retryAt(value: Json, now: Date): Date | null {
  const seconds = value['retry_after_seconds'];
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= 1e7) return new Date(now.getTime() + seconds * 1_000);
  const moment = value['retry_at'];
  if (typeof moment === 'number' && moment > 0 && moment < 1e11) return new Date(moment * 1_000);
  const parsedMoment = typeof moment === 'string' ? new Date(moment) : null;
  return parsedMoment === null || Number.isNaN(parsedMoment.getTime()) ? null : parsedMoment;
}

function sessionOf(value: Json): string | null {
  const name = text(value['agent_session']) ?? text(value['session_id']) ?? text(value['thread_id']);
  // It may become an argument of a program: an option it must not be.
  return name !== null && name.length <= LONGEST_SESSION && /^[^-\s\p{Cc}][^\p{Cc}]*$/u.test(name) ? name : null;
}

function usageOf(value: Json): Usage | null {
  const used = isObject(value['usage']) ? value['usage'] : {};
  const cost = number(used['cost_usd']) ?? number(value['total_cost_usd']) ?? number(value['cost_usd']);
  const own = usage({
    // Claude counts apart what it read from its cache.
    inputTokens: sum(
      number(used['input_tokens']) ?? number(used['prompt_tokens']),
      number(used['cache_creation_input_tokens']),
      number(used['cache_read_input_tokens']),
    ),
    outputTokens: number(used['output_tokens']) ?? number(used['completion_tokens']),
    totalTokens: number(used['total_tokens']),
    costUsd: cost,
  });
  return own ?? usageByModel(value['stats']);
}

/** Gemini: stats.models.<name>.tokens. */
function usageByModel(stats: unknown): Usage | null {
  const models = isObject(stats) && isObject(stats['models']) ? Object.values(stats['models']) : [];
  const tokens = models.flatMap((model) => (isObject(model) && isObject(model['tokens']) ? [model['tokens']] : []));
  const total = (key: string): number | null => sum(...tokens.map((one) => number(one[key])));
  return usage({ inputTokens: total('prompt'), outputTokens: total('candidates'), totalTokens: total('total') });
}

/** Codex: each message as an event of its own. */
function messageOf(event: Json): string | null {
  const item = event['item'];
  return isObject(item) && item['type'] === 'agent_message' ? text(item['text']) : null;
}

function parsed(line: string): Json | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  // What is no text is kept as what it is; a NUL cannot be stored.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '\uFFFD');
}

function shortened(error: string): string {
  return error.length > 1_000 ? `${error.slice(0, 1_000)}…` : error;
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function sum(...parts: (number | null)[]): number | null {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((total, part) => total + part, 0);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
