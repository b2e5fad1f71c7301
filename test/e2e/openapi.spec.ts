// The OpenAPI document as clients get it: the committed one is the one that is served, and it is complete. What it says of
// each answer is what the other tests of this folder see.
import type { OpenAPIObject } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { openApiPage } from '../../scripts/openapi-document';
import { testApp, type TestApp } from '../support/app';
import { TASK } from '../support/http';

const COMMITTED = readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8');
const BYTES = 'application/octet-stream';
const PROBLEM_JSON = 'application/problem+json';

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: Record<string, unknown> }>;
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Record<string, Schema>;
  readonly example?: unknown;
  readonly description?: string;
}
interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { name: string; in: string; schema?: Schema }[];
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<string, { description?: string; content?: Record<string, Media> }>;
}

const document = JSON.parse(COMMITTED) as OpenAPIObject;
const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
  ),
);
const named = (schema: Schema | undefined): Schema | undefined => schemas[schema?.$ref?.split('/').at(-1) ?? ''];

it('docs/openapi.json is what the controllers say; `npm run docs:generate` makes it', async () => {
  expect(await openApiPage()).toBe(COMMITTED);
});

describe('the running server', () => {
  let house: TestApp;
  beforeAll(async () => {
    house = await testApp();
  });
  afterAll(() => house.close());

  it('serves that very document, and Swagger UI over it', async () => {
    const served = await request(house.url).get('/openapi.json');
    expect(served.body).toEqual(document);
    expect((await request(house.url).get('/docs')).text).toContain('swagger-ui');
  });

  it('leads whoever opens the bare address there', async () => {
    const answer = await request(house.url).get('/').redirects(1);
    expect([answer.status, answer.redirects]).toEqual([200, [`${house.url}/docs`]]);
    expect((await request(house.url).post('/')).status).toBe(404);
  });

  it('takes every whole body that the document shows, as it stands', async () => {
    const alice = await house.as('alice');
    const { id } = (await alice.post('/api/scheduled-tasks', TASK)).body as { id: string };
    for (const [name, { requestBody }] of operations) {
      const [method = '', path = ''] = name.split(' ');
      for (const { examples = {} } of Object.values(requestBody?.content ?? {})) {
        for (const [which, { value }] of Object.entries(examples)) {
          const url = path.replace('{id}', id);
          const answer = await (method === 'PATCH' ? alice.patch(url, value) : alice.post(url, value));
          expect(`${name}, ${which}: ${Math.floor(answer.status / 100)}`).toBe(`${name}, ${which}: 2`);
        }
      }
    }
  });

  it('answers every operation of the document, and asks for a sign-in where the document says so', async () => {
    for (const [name, { security }] of operations) {
      const [method = '', path = ''] = name.split(' ');
      const url = house.url + path.replace('{id}', 'nothing');
      const answer = await fetch(url, { method });
      const open = security !== undefined && security.length === 0;
      // What is open to all may still want a secret of its own, or find what it was sent wrong.
      const status = open && answer.status < 500 && ![404, 405].includes(answer.status) ? 'open' : answer.status;
      expect(`${name} ${status}`).toBe(open ? `${name} open` : `${name} 401`);
    }
  });
});

describe.each(operations)('%s', (_, operation) => {
  const { parameters = [], requestBody, responses } = operation;
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);

  it('says what it does, and where it belongs', () => {
    expect(operation.summary).toMatch(/^\S.{3,}/);
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+_[a-z]\w*$/);
    expect(operation.tags).toEqual([expect.stringMatching(/^[A-Z][a-zA-Z ]+$/)]);
  });

  it('has an example of its body, and one success', () => {
    for (const { schema, example, examples } of Object.values(requestBody?.content ?? {})) {
      const properties = Object.values(named(schema)?.properties ?? {});
      expect(example ?? examples ?? properties.find((property) => property.example !== undefined)).toBeDefined();
    }
    // A second success may say that there was nothing (204).
    const stated = Object.keys(responses).filter((status) => Number(status) < 300);
    const successes = stated.length === 1 ? stated : stated.filter((status) => status !== '204');
    expect(successes).toHaveLength(1);
    // Files are bytes, a tail is events, what a browser is sent to is a page; everything else is JSON.
    const type = parameters.length > 0 && responses['200']?.content?.[BYTES] !== undefined ? BYTES : 'application/json';
    const kinds = Object.keys(responses[successes[0]!]?.content ?? {});
    expect([[type], ['text/event-stream'], ['text/html']]).toContainEqual(kinds);
  });

  it('names every refusal that its shape allows', () => {
    const expected: number[] = operation.security === undefined ? [401, 503] : [];
    if (requestBody !== undefined) expected.push(400, 413, 415, 422);
    // A run's own token says nothing of other runs: an unknown one is not held (409), like one that is over.
    const byRunToken = responses['409']?.content?.[PROBLEM_JSON]?.examples?.['agent-run.run-not-held'] !== undefined;
    if (!byRunToken && parameters.some((one) => one.in === 'path')) expected.push(404);
    if (parameters.length > 0) expected.push(422);
    const stated = Object.keys(responses).map(Number);
    expect(expected.filter((status) => !stated.includes(status))).toEqual([]);
  });

  it('shows each refusal as a problem document with an example', () => {
    for (const [status, { content = {} }] of errors) {
      if (status === '503' && operation.security?.length === 0) continue; // readiness: its report is the answer
      expect(Object.keys(content)).toEqual([PROBLEM_JSON]);
      expect(named(content[PROBLEM_JSON]?.schema)).toBe(schemas['Problem']);
      const examples = Object.entries(content[PROBLEM_JSON]?.examples ?? {});
      expect(examples.length).toBeGreaterThan(0);
      for (const [code, { value }] of examples) {
        expect(value).toMatchObject({ status: Number(status), code, detail: expect.stringMatching(/\S/) });
      }
    }
  });

  it('gives every parameter a type', () => {
    expect(parameters.filter(({ schema }) => schema?.type === undefined).map(({ name }) => name)).toEqual([]);
  });
});

describe('the schemas', () => {
  it.each(Object.entries(schemas))('%s: every property has a type', (_, schema) => {
    const untyped = Object.entries(schema.properties ?? {}).filter(([, property]) => !hasType(property));
    expect(untyped.map(([name]) => name)).toEqual([]);
  });

  it('are all used', () => {
    const unused = Object.keys(schemas).filter((name) => !COMMITTED.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  });
});

function hasType({ type, $ref, allOf, oneOf, items }: Schema): boolean {
  if (type === 'array') return items !== undefined && hasType(items);
  return type !== undefined || $ref !== undefined || ((allOf ?? oneOf)?.every(hasType) ?? false);
}
