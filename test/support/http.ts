// Test support. What the tests of the HTTP doors say again and again: a good body, a request sent byte by byte, the shape
// of a refusal, and that nothing was written.
import type { Response } from 'supertest';
import type { TestApp } from './app';
import type { TestDatabase } from './database';

/** A task that is accepted, and due only once a year: no test meets its minute. */
export const TASK = {
  title: 'Morning news',
  prompt: 'Say hello.',
  schedule_type: 'cron',
  schedule_spec: { cron: '0 9 1 1 *' },
  timezone: 'Europe/Berlin',
} as const;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly body: unknown;
}

/** Exactly these bytes, with exactly these headers: what no client library would send by itself. */
export async function rawRequest(
  house: TestApp,
  path: string,
  init: { method?: string; token?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  const { method = 'POST', token, headers = {}, body } = init;
  const answer = await fetch(house.url + path, {
    method,
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}

export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  readonly field?: string;
  readonly detail?: RegExp;
}

/** A problem document, whole: these members, no others. */
export function expectProblem(
  answer: Response | Answer,
  { status, code, field, detail = /\S/ }: ExpectedProblem,
): void {
  const { errors, ...body } = answer.body as Record<string, unknown>;
  expect({ status: answer.status, ...body }).toEqual({
    type: 'about:blank',
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(detail),
    code,
    request_id: answer.headers['x-request-id'],
    ...(field === undefined ? {} : { field }),
  });
  if (errors !== undefined) {
    expect(errors).toEqual(expect.arrayContaining([{ field: expect.any(String), message: expect.any(String) }]));
  }
  expect(answer.headers['content-type']).toBe('application/problem+json');
}

/** All that users own, row by row: equal before and after means that nothing was written, changed or removed. */
export async function everythingStored({ admin }: TestDatabase): Promise<Record<string, string>> {
  const stored: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await admin.query<{ rows: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '-') as rows from ${table} t`,
    );
    stored[table] = rows[0]!.rows;
  }
  return stored;
}

const TABLES = [
  'scheduled_tasks',
  'scheduled_task_states',
  'scheduled_task_runs',
  'threads',
  'thread_messages',
  'agent_runs',
];

/** The body of a problem without what differs from request to request. */
export function withoutRequestId(answer: Response | Answer): string {
  const id = String(answer.headers['x-request-id']);
  expect(answer.text).toContain(id);
  return answer.text.replace(id, '');
}
