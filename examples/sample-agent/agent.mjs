#!/usr/bin/env node
// A small agent to start with: plain Node, nothing to install. The prompt comes on standard input, or as arguments.
// Without further settings it answers a few requests by itself. With OPENAI_BASE_URL (and OPENAI_API_KEY,
// OPENAI_MODEL) it asks any OpenAI-compatible chat completions endpoint instead.
import { readFileSync } from 'node:fs';

const env = process.env;
const REQUEST_TIMEOUT_MS = Number(env.SAMPLE_AGENT_TIMEOUT_MS ?? 120_000);

async function main() {
  const prompt = (process.argv.length > 2 ? process.argv.slice(2).join(' ') : readFileSync(0, 'utf8')).trim();
  if (prompt === '') fail('There is no prompt: write it to standard input, or give it as an argument.');
  console.log(env.OPENAI_BASE_URL ? await askModel(prompt) : answer(prompt));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

// -- by itself ------------------------------------------------------------------------------------------------------

function answer(prompt) {
  // What is to be summarised or repeated may contain anything: these two come first and answer alone.
  for (const rule of [summary, echo]) {
    const said = rule(prompt);
    if (said !== undefined) return said;
  }
  const said = [greeting, timeOf, calculation, purpose]
    .map((rule) => rule(prompt))
    .filter((text) => text !== undefined);
  if (said.length > 0) return said.join(' ');
  return [
    `You asked: ${prompt}`,
    '',
    'I am the sample agent and understand little: the date and time ("What time is it in Tokyo?"), sums',
    '("What is 17 * 23?"), "Summarise: …", "Echo: …", and "Which task do you serve?".',
    'Set OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL to have a model answer, or put your own agent in assistants.yaml.',
    '',
    serves(),
  ].join('\n');
}

const CITIES = {
  tokyo: 'Asia/Tokyo',
  berlin: 'Europe/Berlin',
  london: 'Europe/London',
  paris: 'Europe/Paris',
  delhi: 'Asia/Kolkata',
  'new york': 'America/New_York',
  'san francisco': 'America/Los_Angeles',
  sydney: 'Australia/Sydney',
  utc: 'UTC',
};

function timeOf(prompt) {
  if (!/\b(what|which|tell|say|print|current|today|now)\b/i.test(prompt)) return undefined;
  if (!/\b(time|date|day|today|clock|weekday)\b/i.test(prompt)) return undefined;
  const city = Object.keys(CITIES).find((name) => new RegExp(`\\b${name}\\b`, 'i').test(prompt));
  const named = prompt.match(/\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+\b/)?.[0];
  const timeZone = city ? CITIES[city] : (named ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  try {
    const now = new Date();
    const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(now);
    return `It is ${text} (${timeZone}).`;
  } catch {
    return `I know no time zone "${timeZone}".`;
  }
}

function calculation(prompt) {
  const expression = prompt
    .match(/[-+(]*\d[\d\s.+\-*/x×÷^%()]*/g)
    ?.map((part) => part.trim())
    .find((part) => /\d\s*[-+*/x×÷^%]\s*[-(]*\d/.test(part));
  // A date such as 2026-12-01 is no sum.
  if (expression === undefined || /\d{4}-\d{2}-\d{2}/.test(expression)) return undefined;
  try {
    const result = evaluate(expression);
    return `${expression} = ${Number(result.toPrecision(12))}`;
  } catch {
    return undefined;
  }
}

/** Sums, products, powers and brackets, by descent: nothing that a prompt says is ever run as code. */
function evaluate(text) {
  const tokens = text.match(/\d+(?:\.\d+)?|[-+*/x×÷^%()]/g) ?? [];
  let at = 0;
  const sum = () => {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-')
      value = tokens[at++] === '+' ? value + product() : value - product();
    return value;
  };
  const product = () => {
    let value = power();
    while (['*', 'x', '×', '/', '÷', '%'].includes(tokens[at])) {
      const sign = tokens[at++];
      const right = power();
      value = sign === '/' || sign === '÷' ? value / right : sign === '%' ? value % right : value * right;
    }
    return value;
  };
  const power = () => {
    const base = operand();
    return tokens[at] === '^' ? (at++, base ** power()) : base;
  };
  const operand = () => {
    const token = tokens[at++];
    if (token === '-') return -operand();
    if (token === '+') return operand();
    if (token === '(') {
      const value = sum();
      if (tokens[at++] !== ')') throw new Error('bracket');
      return value;
    }
    if (token === undefined || !/^\d/.test(token)) throw new Error('number expected');
    return Number(token);
  };
  const value = sum();
  if (at !== tokens.length || !Number.isFinite(value)) throw new Error('left over');
  return value;
}

function summary(prompt) {
  const [, text] = prompt.match(/^\s*summari[sz]e\b[^:\n]*[:\n]\s*([\s\S]+)$/i) ?? [];
  if (text === undefined) return undefined;
  const sentences = text.trim().split(/(?<=[.!?])\s+/);
  const words = text.trim().split(/\s+/).length;
  const weight = new Map();
  for (const word of text.toLowerCase().match(/\p{L}{4,}/gu) ?? []) weight.set(word, (weight.get(word) ?? 0) + 1);
  const score = (sentence) => {
    const found = sentence.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
    return found.reduce((sum, word) => sum + weight.get(word), 0) / Math.sqrt(found.length || 1);
  };
  const best = [...sentences]
    .sort((a, b) => score(b) - score(a))
    .slice(0, Math.max(1, Math.ceil(sentences.length / 4)));
  const kept = sentences.filter((sentence) => best.includes(sentence));
  return `${kept.join(' ')}\n\n(Said shortest, of ${words} words in ${sentences.length} sentences.)`;
}

function echo(prompt) {
  const text = prompt.match(/^\s*(?:echo|say|repeat)\s*:\s*([\s\S]+)$/i)?.[1];
  if (text !== undefined) return text;
  const asked = prompt.match(/^\s*(?:please\s+)?(?:echo|repeat|reply with|answer with)\s+([\s\S]+)$/i)?.[1];
  return asked
    ?.replace(/^(?:only\s+)?the\s+(?:single\s+|one\s+)?words?:?\s+/i, '')
    .replace(/^(["'])(.*)\1\.?$|\.$/s, '$2');
}

function purpose(prompt) {
  return /\b(which|what)\b.*\b(task|run|thread|trigger|schedule[d]?)\b|\bwho are you\b|\bwhy\b.*\brun(ning)?\b/i.test(
    prompt,
  )
    ? serves()
    : undefined;
}

function greeting(prompt) {
  if (/\bsay (hello|hi)\b/i.test(prompt)) return 'Hello.';
  return /^\W*(hello|hi|hey|good (morning|evening|day)|ping)\b/i.test(prompt) ? `Hello. ${serves()}` : undefined;
}

function serves() {
  const task = env.HORARIUM_TASK_ID ? `task ${env.HORARIUM_TASK_ID}` : 'no task';
  const run = env.HORARIUM_RUN_ID ? `run ${env.HORARIUM_RUN_ID}` : 'no run';
  const planned = env.HORARIUM_SCHEDULED_FOR ? `, planned for ${env.HORARIUM_SCHEDULED_FOR}` : '';
  const trigger = env.HORARIUM_TRIGGER ? ` (${env.HORARIUM_TRIGGER})` : '';
  const thread = env.HORARIUM_THREAD_ID ? ` on thread ${env.HORARIUM_THREAD_ID}` : '';
  return `I serve ${task}, ${run}${trigger}${thread}${planned}.`;
}

// -- with a model ---------------------------------------------------------------------------------------------------

async function askModel(prompt) {
  const url = `${env.OPENAI_BASE_URL.replace(/\/+$/, '')}/chat/completions`;
  const system = `You run unattended, started by a schedule. Nobody can answer questions: do the task and report the result. ${serves()}`;
  const body = {
    model: env.OPENAI_MODEL ?? 'gpt-4o-mini',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ],
  };
  let response;
  let text;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(env.OPENAI_API_KEY ? { authorization: `Bearer ${env.OPENAI_API_KEY}` } : {}),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    text = await response.text();
  } catch (error) {
    const timedOut = error.name === 'TimeoutError';
    fail(
      timedOut
        ? `${url} did not answer within ${REQUEST_TIMEOUT_MS / 1000} s.`
        : `${url} cannot be reached: ${error.cause?.message ?? error.message}`,
    );
  }
  if (!response.ok) fail(`${url} answered ${response.status}: ${text.slice(0, 500)}${hint(response.status)}`);
  try {
    const content = JSON.parse(text).choices[0].message.content;
    if (typeof content === 'string' && content !== '') return content;
  } catch {
    // Falls through to the same complaint.
  }
  return fail(`${url} answered with something that is no chat completion: ${text.slice(0, 200)}`);
}

function hint(status) {
  if (status === 401 || status === 403) return '\nCheck OPENAI_API_KEY.';
  if (status === 404) return '\nCheck OPENAI_BASE_URL (it usually ends in /v1) and OPENAI_MODEL.';
  return status === 429 ? '\nThe provider asks to slow down, or the quota is used up.' : '';
}

await main();
