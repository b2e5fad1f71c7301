// Every door of the OpenAPI document, asked for by somebody who wishes it ill: whatever is sent, the answer is never the
// house's own failure, always a problem document when it is a refusal, and says nothing of the inside.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testApp, type TestApp } from '../support/app';
import {
  type Answered,
  type Document,
  HostileRequests,
  randomFrom,
  send,
  type Sent,
} from '../support/hostile-requests';
import { TASK } from '../support/http';

const document = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as Document;
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_270_301);
const ROUNDS = Number(process.env['HOSTILE_ROUNDS'] ?? 5);
const AT_ONCE = 8;

/** What of the inside an answer must not show. */
const INSIDE =
  /node_modules|\bat \S+ \(|\.[cm]?[jt]s:\d+|QueryFailedError|violates|syntax error at|relation "|::\w+\[?|TypeError/;

let house: TestApp;
let token: string;
let stranger: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  house = await testApp();
  const roles = ['user', 'manager', 'operator'] as const;
  token = await house.token('alice', { roles });
  stranger = await house.token('mallory', { roles, tenantId: await house.tenant('others') });
  const alice = await house.as('alice', { roles });
  const made = async (path: string, body: object): Promise<void> => {
    const { body: answer } = await alice.post(path, body);
    const { id, uid } = answer as { id?: string | number; uid?: string };
    if (id !== undefined || uid !== undefined) ids.set(path, String(id ?? uid));
  };
  await made('/api/threads', {});
  await made('/api/scheduled-tasks', TASK);
  await made('/api/1.0/projects', { name: 'A project' });
  const requests = new HostileRequests(document, randomFrom(1), idFor);
  for (const path of Object.keys(document.paths)) {
    if (path.includes('{') || ids.has(path) || document.paths[path]!['post'] === undefined) continue;
    const { body } = requests.good('post', path);
    if (body !== undefined) await made(path, JSON.parse(body.toString()) as object);
  }
});
afterAll(() => house.close());

/** One that was made, where the path's collection has one; else one that might be. */
function idFor(path: string, name: string): string {
  if (name === 'field_key') return 'a-field';
  return ids.get(path.slice(0, path.indexOf('/{'))) ?? '1';
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method, path })),
);

function faultOf(answer: Answered, path: string, method: string): string | undefined {
  const { status, type, text } = answer;
  if (status < 400) return undefined;
  const declared = document.paths[path]![method]!.responses;
  // Some things are not there on this machine (a container engine, Google): only where the document says so.
  if (status >= 500 && (status < 502 || !(String(status) in declared))) return 'the house failed';
  if (!type.startsWith('application/problem+json')) return `the refusal is ${type}`;
  const problem = JSON.parse(text) as Record<string, unknown>;
  if (problem['status'] !== status || typeof problem['code'] !== 'string') return 'no problem document';
  if (INSIDE.test(text)) return 'it shows the inside';
  return text.length > 5_000 ? 'it repeats what was sent' : undefined;
}

async function faults(sent: readonly (Sent & { operation: { method: string; path: string }; by: string })[]) {
  const found: string[] = [];
  const waiting = [...sent];
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { operation, by, ...message } = next;
      const answer = await send(house.url, by, message).catch((error: Error) => error);
      const fault =
        answer instanceof Error ? `no answer: ${answer.message}` : faultOf(answer, operation.path, operation.method);
      if (fault === undefined) continue;
      const shown = `${message.method} ${message.path.slice(0, 300)} ${JSON.stringify(message.headers)} ${message.body?.toString().slice(0, 400) ?? ''}`;
      found.push(
        `${fault}: ${shown}\n  ${answer instanceof Error ? '' : `${answer.status} ${answer.text.slice(0, 400)}`}`,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return found;
}

it('answers every ill-meant request with a refusal that says no more than it should', async () => {
  const random = randomFrom(SEED);
  const requests = new HostileRequests(document, random, idFor);
  const sent = (those: typeof operations) =>
    Array.from({ length: ROUNDS }, () =>
      those.map((operation) => ({
        ...requests.hostile(operation.method, operation.path),
        operation,
        by: random() < 0.8 ? token : stranger,
      })),
    ).flat();
  const started = performance.now();
  // What may take away what the others ask for comes last, and at once with some of them.
  const ends = /\/(archive|revoke|cancel|reject|rotate)$/;
  const last = operations.filter(({ method, path }) => method === 'delete' || ends.test(path));
  const first = operations.filter((operation) => !last.includes(operation));
  const all = [...sent(first), ...sent(last)];
  const found = await faults(all);
  if (process.env['HOSTILE_SEED']) console.log(all.length, performance.now() - started);
  expect(found.join('\n')).toBe('');
});

it('and nothing of it was logged as a failure of the house', () => {
  const failures = house.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  expect(failures).toEqual([]);
});
