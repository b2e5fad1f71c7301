// The written house: its links lead somewhere, and it stands alone.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { welcome } from '../../src/platform/welcome';
import { filesBelow, linesMatching, linesOf, read, root } from './support/sources';

const pages = filesBelow('.', /\.md$/);

/** What GitHub and most viewers make of a heading. */
function anchorsOf(path: string): string[] {
  return linesOf(path)
    .filter((line) => /^#+ /.test(line))
    .map((line) =>
      line
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    );
}

it('every link within the repository leads to a file, and to a heading in it', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap((match) => {
      const [target = '', anchor] = (match[1] ?? '').split('#');
      if (/^[a-z]+:/.test(target)) return [];
      const path = target === '' ? page : join(dirname(page), target);
      const whole = existsSync(join(root, path));
      const there = whole && (anchor === undefined || !path.endsWith('.md') || anchorsOf(path).includes(anchor));
      return there ? [] : [`${page}: ${match[1]}`];
    }),
  );
  expect(broken).toEqual([]);
});

it('every page under docs/ can be reached from docs/README.md', () => {
  const index = read('docs/README.md');
  const missing = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  expect(missing.filter((page) => !index.includes(`(${basename(page)})`))).toEqual([]);
});

describe('the decision records', () => {
  const records = filesBelow('docs/adr', /^\d{4}-.*\.md$/);

  it('are numbered without a gap and listed', () => {
    expect(records.map((path) => Number(basename(path).slice(0, 4)))).toEqual(records.map((_, index) => index + 1));
    const index = read('docs/adr/README.md');
    expect(records.filter((path) => !index.includes(`(${basename(path)})`))).toEqual([]);
  });

  it('are dated, and say what was refused', () => {
    const wanting = records.filter(
      (path) => !/^\d{4}-\d{2}-\d{2}$/m.test(read(path)) || !/^## Refused/m.test(read(path)),
    );
    expect(wanting).toEqual([]);
  });
});

it('no page leans on what is outside of the repository', () => {
  expect(linesMatching(pages, /\.\.\/shared\/|\bshared\/(facts|cases|spike)|\/work\//)).toEqual([]);
});

it('the first command of the pages is the one that the server prints', () => {
  const bodyIn = (text: string): unknown => JSON.parse(/-d '(\{[\s\S]*?\})'/.exec(text)?.[1] ?? 'null');
  const facts = { version: '0', database: 'embedded', operatorToken: null, isolation: 'user' } as const;
  const printed = bodyIn(welcome({ url: 'http://127.0.0.1:3000', dataDir: '.horarium', ...facts }));
  expect(printed).not.toBeNull();
  expect(bodyIn(read('README.md'))).toEqual(printed);
  expect(bodyIn(read('docs/getting-started.md'))).toEqual(printed);
});
