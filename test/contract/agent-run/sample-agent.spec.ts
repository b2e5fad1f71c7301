// The agent in examples/, as a program: what it says by itself, and how it speaks to a model.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const AGENT = join(__dirname, '..', '..', '..', 'examples', 'sample-agent', 'agent.mjs');

async function ask(prompt: string, env: Record<string, string> = {}, args: string[] = []) {
  const child = spawn(process.execPath, [AGENT, ...args], { env: { TZ: 'UTC', ...env } });
  child.stdin.end(prompt);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out: out.trimEnd(), err: err.trimEnd(), code: code as number };
}

describe('by itself', () => {
  test.each([
    ['What is 17 * (23 - 3)^2?', /^17 \* \(23 - 3\)\^2 = 6800$/],
    ['2+2', /^2\+2 = 4$/],
    ['What time is it in Tokyo?', /^It is \w+, .* \(Asia\/Tokyo\)\.$/],
    ['Say hello, and what time it is.', /^Hello\. It is .* \(UTC\)\.$/],
    ['Reply with the single word OK.', /^OK$/],
    ['Echo: what is 2+2?', /^what is 2\+2\?$/],
    [
      'Summarise: The cat sat. The cat slept on the mat all day. Rain.',
      /^The cat .*\n\n\(.* of 12 words in 3 sentences/,
    ],
    ['Do something on 2026-12-01', /^You asked: Do something on 2026-12-01\n/],
    ['process.exit(7)', /^You asked/],
  ])('%j', async (prompt, answer) => {
    const { out, code } = await ask(prompt);
    expect(out).toMatch(answer);
    expect(code).toBe(0);
  });

  test('it says which task, run and planned instant it serves', async () => {
    const env = {
      HORARIUM_TASK_ID: 'task-1',
      HORARIUM_RUN_ID: 'task-run-1',
      HORARIUM_TRIGGER: 'scheduled',
      HORARIUM_THREAD_ID: 'thread-1',
      HORARIUM_SCHEDULED_FOR: '2026-12-01T08:00:00Z',
    };
    expect((await ask('Which task do you serve?', env)).out).toBe(
      'I serve task task-1, run task-run-1 (scheduled) on thread thread-1, planned for 2026-12-01T08:00:00Z.',
    );
  });

  test('the prompt may be an argument; none at all is an error', async () => {
    expect((await ask('', {}, ['2+3'])).out).toBe('2+3 = 5');
    expect(await ask(' \n')).toMatchObject({ code: 1, err: expect.stringContaining('There is no prompt') });
  });
});

describe('with a model', () => {
  let answer: (request: IncomingMessage, body: string, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(request, body, response));
  });
  let env: Record<string, string>;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
    env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'key', OPENAI_MODEL: 'small', HORARIUM_TASK_ID: 'task-1' };
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('it asks as the wire format wants, and prints the answer', async () => {
    let seen: { url?: string; key?: string; body?: { model: string; messages: { role: string; content: string }[] } } =
      {};
    answer = ({ url, headers }, body, response) => {
      seen = { url, key: headers.authorization, body: JSON.parse(body) };
      response.end(JSON.stringify({ choices: [{ message: { content: 'from the model' } }] }));
    };
    expect(await ask('hello', env)).toEqual({ out: 'from the model', err: '', code: 0 });
    expect(seen).toMatchObject({ url: '/v1/chat/completions', key: 'Bearer key', body: { model: 'small' } });
    expect(seen.body?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(seen.body?.messages[0]?.content).toContain('task-1');
    expect(seen.body?.messages[1]?.content).toBe('hello');
  });

  test.each([
    [401, '{"error":"bad key"}', /answered 401: .*bad key.*\nCheck OPENAI_API_KEY/],
    [404, 'no', /answered 404: no\nCheck OPENAI_BASE_URL/],
    [429, 'slow', /answered 429: slow\nThe provider asks to slow down/],
    [500, 'oops', /answered 500: oops$/],
    [200, '{', /no chat completion: \{$/],
    [200, '{"choices":[]}', /no chat completion/],
    [200, '{"choices":[{"message":{"content":null}}]}', /no chat completion/],
  ])('%s %s is an error that says so', async (status, body, message) => {
    answer = (_request, _body, response) => response.writeHead(status).end(body);
    const { code, err, out } = await ask('hello', env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
  });

  test('an endpoint that does not answer, or is not there', async () => {
    answer = () => undefined;
    expect((await ask('hello', { ...env, SAMPLE_AGENT_TIMEOUT_MS: '200' })).err).toMatch(
      /did not answer within 0\.2 s/,
    );
    expect((await ask('hello', { ...env, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).err).toMatch(/cannot be reached/);
  });
});
