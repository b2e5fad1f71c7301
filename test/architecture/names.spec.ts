// Names: no word that says nothing, and a class is found under its own name.
import { basename } from 'node:path';
import { filesBelow, linesMatching, read } from './support/sources';

const sources = filesBelow('src', /\.ts$/);
const ours = [...sources, ...filesBelow('test', /\.ts$/), ...filesBelow('bench', /\.[cm]?[jt]s$/)];

it('no file or folder is called by a word that says nothing', () => {
  const empty = /(^|[-.])(utils?|helpers?|common|shared|managers?|misc|base|impl)(\.|$)/;
  expect(ours.filter((path) => path.split('/').some((part) => empty.test(part)))).toEqual([]);
});

it('no type carries a mark of its kind: neither an I before it nor an Impl behind', () => {
  expect(linesMatching(ours, /\binterface I[A-Z]|\b(class|interface|type) \w+Impl\b/)).toEqual([]);
});

describe('a use case or an adapter', () => {
  const rooms = sources.filter((path) => /^src\/[^/]+\/(usecases|outbound)\/[^/]+$/.test(path));
  const classesOf = (path: string): string[] =>
    [...read(path).matchAll(/^export (?:abstract )?class (\w+)/gm)].map((match) => match[1] ?? '');
  const named = (path: string): string => basename(path, '.ts').replaceAll(/[-.]/g, '').toLowerCase();

  it('is the one class of its file, and bears its name', () => {
    const wrong = rooms.flatMap((path) => {
      const classes = classesOf(path).filter((name) => !name.endsWith('Error'));
      const fits = classes.length === 0 || (classes.length === 1 && classes[0]?.toLowerCase() === named(path));
      return fits ? [] : [`${path}: ${classes.join(', ')}`];
    });
    expect(wrong).toEqual([]);
  });

  it('carries no decorator: it is built in the module file, where the compiler checks it', () => {
    expect(linesMatching(rooms, /^\s*@(Injectable|Inject|Module|Optional)\b/)).toEqual([]);
  });
});

it('migrations are numbered without a gap', () => {
  const numbers = filesBelow('src/platform/persistence/migrations', /^\d{4}-/).map((path) =>
    Number(basename(path).slice(0, 4)),
  );
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
