// A file holds one idea: none of the sources is longer than 400 lines.
import { filesBelow, linesOf } from './support/sources';

const CAP = 400;

const sizes = filesBelow('src', /\.ts$/)
  .map((path) => ({ path, lines: linesOf(path).length }))
  .sort((a, b) => a.lines - b.lines);
const at = (share: number): number => sizes[Math.floor((sizes.length - 1) * share)]?.lines ?? 0;

// The figures stand in the name, so that every run shows them.
it(`no source file has more than ${CAP} lines (${sizes.length} files: median ${at(0.5)}, nine in ten below ${at(0.9)})`, () => {
  expect(sizes.filter(({ lines }) => lines > CAP)).toEqual([]);
});

// At the doors the names must do: a `create-task.request.ts` says all of it.
it('every source file but those at the doors begins by saying which part it plays', () => {
  const silent = sizes.filter(
    ({ path }) => !/\/inbound\//.test(path) && !/^(\/\/|\/\*\*|#!)/.test(linesOf(path)[0] ?? ''),
  );
  expect(silent.map(({ path }) => path)).toEqual([]);
});
