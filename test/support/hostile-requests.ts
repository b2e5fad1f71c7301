// Test support. Requests that nobody should send, made from the OpenAPI document: a good request of each operation with
// one thing wrong in it. The same seed makes the same requests.
import { request } from 'node:http';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly example?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, unknown>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}
export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export type Random = () => number;

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

const deep = (levels: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const TEXTS = [
  '',
  ' ',
  'a',
  'nul\0nul',
  '\ud800',
  '\u202egnirts',
  '🙂'.repeat(300),
  'x'.repeat(70_000),
  "' or 1=1 --",
  '%00%ff',
  '../../../etc/passwd',
  '${7*7}{{7*7}}',
  '2026-02-30T24:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-1',
  '1e400',
  '9223372036854775808',
  '00000000-0000-0000-0000-000000000000',
  'http://169.254.169.254/',
  'toString',
  '\\',
  '%',
  '_',
  'true',
  'null',
];
const NUMBERS = [0, -1, 1, 0.5, 1e21, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE];
const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { toString: 'x' },
  { length: -1 },
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {}}}'),
  deep(20),
  Array.from({ length: 3_000 }, (_, nr) => nr),
];
const VALUES: readonly unknown[] = [...TEXTS, ...NUMBERS, ...OTHERS];

/** In a path or a query: also what is no text at all once it is decoded. */
const RAW = [
  ...TEXTS.filter((text) => text !== '\ud800').map((text) => encodeURIComponent(text.slice(0, 4_000))),
].concat(...['%ff%fe', '%', '%zz', '%00', '..%2f..', '%2e%2e%2f', '+', '&&', '=', '[]', '%5b0%5d']);

const TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'],
  ...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/json; charset=latin1', ''],
];
const BODIES = [
  ...['', '{', 'null', '[]', '"text"', '0', '{"a":1}{"b":2}', '\ufeff{}', '{"a":NaN}', '[[[['.repeat(20_000)],
  ...['{"title":"\\ud800"}', `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, '{"__proto__":{"x":1}}'],
];

export class HostileRequests {
  constructor(
    private readonly document: Document,
    private readonly random: Random,
    /** An id that is there, for a path such as `/api/threads/{id}`. */
    private readonly idFor: (path: string, name: string) => string,
  ) {}

  /** As the document asks for it. */
  good(method: string, path: string): Sent {
    return this.compose(method, path, {}, [], this.goodBody(this.operation(method, path)));
  }

  hostile(method: string, path: string): Sent {
    const operation = this.operation(method, path);
    const { random } = this;
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const inQuery = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
    const body = this.goodBody(operation);
    const ways: (() => Sent)[] = [];
    if (inPath.length > 0) {
      ways.push(() =>
        this.compose(method, path, { [pick(random, inPath)]: pick(random, RAW) }, [], this.goodBody(operation)),
      );
    }
    ways.push(() => this.compose(method, path, {}, this.hostileQuery([...inQuery, 'nobody_knows']), body));
    if (inQuery.length > 0) {
      for (let nr = 0; nr < 3; nr++) ways.push(() => this.compose(method, path, {}, this.hostileQuery(inQuery), body));
    }
    if (operation.requestBody !== undefined) {
      for (let nr = 0; nr < 5; nr++) ways.push(() => this.compose(method, path, {}, [], this.mutated(body)));
      ways.push(() => this.withBytes(this.compose(method, path, {}, []), pick(random, BODIES)));
      ways.push(() => this.withBytes(this.compose(method, path, {}, [], body), undefined, pick(random, TYPES)));
    } else if (method !== 'get') {
      ways.push(() => this.withBytes(this.compose(method, path, {}, []), pick(random, BODIES)));
    }
    return pick(random, ways)();
  }

  private operation(method: string, path: string): Operation {
    return this.document.paths[path]![method]!;
  }

  private hostileQuery(names: readonly string[]): string[] {
    const { random } = this;
    const name = pick(random, names);
    const value = pick(random, RAW);
    return pick(random, [
      [`${name}=${value}`],
      [`${name}=1`, `${name}=${value}`],
      [`${name}[]=${value}`],
      [`${name}[a][b]=${value}`],
      [name],
      names.map((one) => `${one}=${pick(random, RAW)}`),
    ]);
  }

  private goodBody(operation: Operation): unknown {
    const media = operation.requestBody?.content['application/json'];
    if (media === undefined) return undefined;
    const [example] = Object.values(media.examples ?? {});
    return structuredClone(example?.value ?? media.example ?? this.sample(media.schema));
  }

  private sample(schema: Schema = {}, depth = 0): unknown {
    if (depth > 6) return null;
    if (schema.$ref !== undefined) {
      return this.sample(this.document.components.schemas[schema.$ref.split('/').at(-1)!], depth + 1);
    }
    const [part] = schema.allOf ?? schema.oneOf ?? schema.anyOf ?? [];
    if (part !== undefined) return this.sample(part, depth + 1);
    if (schema.example !== undefined) return schema.example;
    if (schema.enum !== undefined) return pick(this.random, schema.enum);
    if (schema.properties !== undefined) {
      const entries = Object.entries(schema.properties);
      return Object.fromEntries(entries.map(([name, of]) => [name, this.sample(of, depth + 1)]));
    }
    if (schema.type === 'array') return [this.sample(schema.items, depth + 1)];
    if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
    if (schema.type === 'boolean') return true;
    return schema.type === 'object' ? {} : 'text';
  }

  /** One value of the body, at any depth, is another. */
  private mutated(body: unknown): unknown {
    const { random } = this;
    if (typeof body !== 'object' || body === null) return pick(random, VALUES);
    const keys = Object.keys(body);
    const key =
      random() < 0.15 || keys.length === 0
        ? pick(random, ['nobody_knows', '__proto__', 'toString'])
        : pick(random, keys);
    const changed = (Array.isArray(body) ? [...(body as unknown[])] : { ...body }) as Record<string, unknown>;
    const inner = (body as Record<string, unknown>)[key];
    const value =
      typeof inner === 'object' && inner !== null && random() < 0.6 ? this.mutated(inner) : pick(random, VALUES);
    if (random() < 0.1) delete changed[key];
    else Object.defineProperty(changed, key, { value, enumerable: true, configurable: true, writable: true });
    return changed;
  }

  private compose(
    method: string,
    path: string,
    parts: Readonly<Record<string, string>>,
    query: readonly string[],
    body?: unknown,
  ): Sent {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? this.idFor(path, name));
    const address = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
    const sent = { method: method.toUpperCase(), path: address, headers: {} };
    return body === undefined ? sent : this.withBytes(sent, JSON.stringify(body));
  }

  private withBytes(sent: Sent, text: string | undefined, type = 'application/json'): Sent {
    const body = text === undefined ? (sent.body ?? Buffer.from('{}')) : Buffer.from(text);
    return { ...sent, headers: { 'content-type': type }, body };
  }
}

/** Resolves with the beginning of the answer: an endless one is cut off. */
export function send(base: string, token: string, { method, path, headers, body }: Sent): Promise<Answered> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ hostname, port, method, path },
      headers: {
        ...{ authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { 'content-length': String(body.length) }),
      },
    });
    asked.on('error', reject);
    asked.on('response', (answer) => {
      const chunks: Buffer[] = [];
      const done = (): void => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text });
      };
      if ((answer.headers['content-type'] ?? '').startsWith('text/event-stream')) {
        done();
        asked.destroy();
        return;
      }
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', done);
      answer.on('error', reject);
    });
    asked.end(body);
  });
}
