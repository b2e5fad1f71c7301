// The tests themselves: none is left out, none waits for a while, none asks for a machine that a newcomer has not.
import { filesBelow, linesMatching, read } from './support/sources';

// This file names what it forbids.
const tests = filesBelow('test', /\.ts$/).filter((path) => path !== 'test/architecture/tests.spec.ts');

it('no test is left out, and none stands alone', () => {
  const leftOut = /\b(it|test|describe)(\.\w+)*\.(only|skip|todo|failing)\b|\b(fit|fdescribe|xit|xtest|xdescribe)\(/;
  // Dropping rights takes root, which a newcomer need not be: `npm test` then says how many.
  const byMachine = /\(\S+ \? (describe|it) : \1\.skip\)/;
  expect(linesMatching(tests, leftOut).filter((line) => !byMachine.test(line))).toEqual([]);
});

it('no test sleeps: it waits for a signal', () => {
  // The chaos harness lets time pass between faults, the emulator of Drive can be slow, and a demonstration is watched by
  // people: they are no tests.
  const world = /^test\/(chaos|demo|support\/drive)\//;
  const patient = tests.filter((path) => !world.test(path) || path.endsWith('.spec.ts'));
  const sleeping = /timers\/promises|\b(sleep|delay|waitForTimeout)\(|setTimeout\(\s*(resolve|done|res|r)\b/;
  expect(linesMatching(patient, sleeping)).toEqual([]);
});

it('the list of installed packages names no host', () => {
  expect(linesMatching(['package-lock.json', '.npmrc'], /"resolved": "https?:|registry\s*=/)).toEqual([]);
});

it('every package is pinned to one version', () => {
  const manifest = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});
