// Test support, Drive emulator. The part of the search language that is needed: `and` of simple terms.
import { EmulatedRefusal, type EmulatedFile } from './emulated-files';

export type Matches = (file: EmulatedFile, trashed: boolean) => boolean;

const STRING = `'((?:[^'\\\\]|\\\\.)*)'`;
const TERMS: readonly (readonly [RegExp, (...found: string[]) => Matches])[] = [
  [
    new RegExp(`^${STRING} in parents$`),
    (id = '') =>
      (file) =>
        file.parents.includes(plain(id)),
  ],
  [
    new RegExp(`^name = ${STRING}$`),
    (name = '') =>
      (file) =>
        file.name === plain(name),
  ],
  [
    new RegExp(`^mimeType = ${STRING}$`),
    (type = '') =>
      (file) =>
        file.mimeType === plain(type),
  ],
  [
    new RegExp(`^mimeType != ${STRING}$`),
    (type = '') =>
      (file) =>
        file.mimeType !== plain(type),
  ],
  [/^trashed = (true|false)$/, (value) => (_, trashed) => trashed === (value === 'true')],
  [
    new RegExp(`^appProperties has \\{ key=${STRING} and value=${STRING} \\}$`),
    (key = '', value = '') =>
      (file) =>
        file.appProperties[plain(key)] === plain(value),
  ],
];

export function search(q: string): Matches {
  const matches = split(q).map((term) => {
    for (const [pattern, make] of TERMS) {
      const found = pattern.exec(term);
      if (found !== null) return make(...found.slice(1));
    }
    throw new EmulatedRefusal(400, 'invalid', `Invalid Value: ${term}`, 'q');
  });
  return (file, trashed) => matches.every((one) => one(file, trashed));
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

/** At `and`, but not within quotes or braces. */
function split(q: string): string[] {
  const terms: string[] = [];
  let [term, quoted, depth] = ['', false, 0];
  for (let at = 0; at < q.length; at++) {
    const character = q[at]!;
    if (character === '\\') {
      term += character + (q[++at] ?? '');
      continue;
    }
    if (character === "'") quoted = !quoted;
    if (!quoted && character === '{') depth += 1;
    if (!quoted && character === '}') depth -= 1;
    if (!quoted && depth === 0 && q.startsWith(' and ', at)) {
      terms.push(term.trim());
      term = '';
      at += 4;
      continue;
    }
    term += character;
  }
  return [...terms, term.trim()].filter((one) => one !== '');
}

/** The fields mask of the API: `id,changes(fileId,file(id,name))`. Without one, Drive answers few fields. */
export function masked(value: unknown, mask: string): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, mask));
  if (typeof value !== 'object' || value === null || mask === '*') return value;
  const result: Record<string, unknown> = {};
  for (const part of parts(mask)) {
    const [, name = '', inner] = /^([^(/]+)(?:[(/](.*?)\)?)?$/s.exec(part) ?? [];
    const found = (value as Record<string, unknown>)[name];
    if (found !== undefined) result[name] = inner === undefined || inner === '' ? found : masked(found, inner);
  }
  return result;
}

function parts(mask: string): string[] {
  const found: string[] = [];
  let [part, depth] = ['', 0];
  for (const character of mask) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      found.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...found, part.trim()].map((one) => (one.includes('(') && one.endsWith(')') ? one.slice(0, -1) : one));
}
