// `npm test`, which is also what CI runs: the checks of scripts/checks.mjs, then every test. Arguments go to jest
// (`npm test -- --selectProjects domain`). Suites that need a system package are left out where it is missing, and the
// last lines say so; with CI=true a missing one is a failure. A suite of real clients, processes and timers that fails in a
// whole run is run once more by itself, and the last lines name it. The very last line is `N passed, N failed`.
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, sep } from 'node:path';
import { checks, ended, forwardSignals, root, runChecks, seconds, start } from './checks.mjs';

const needs = [
  {
    project: 'browser',
    what: 'Chromium',
    present: () => executable(process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'),
    install: 'apt-get install -y chromium   (or set CHROMIUM_PATH)',
  },
  {
    project: 'redis',
    what: 'redis-server',
    present: () => executable(process.env.REDIS_SERVER_PATH ?? '/usr/bin/redis-server'),
    install: 'apt-get install -y redis-server   (or set REDIS_SERVER_PATH)',
  },
  {
    project: 'agents',
    what: 'openssl or curl',
    present: () => ['openssl', 'curl'].every(onPath),
    install: 'apt-get install -y openssl curl',
  },
  {
    project: 'engine',
    what: 'a Docker engine that can be started (dockerd, busybox, root)',
    present: () => process.getuid?.() === 0 && ['/usr/sbin/dockerd', '/usr/bin/busybox'].every(executable),
    install: 'apt-get install -y --no-install-recommends docker.io busybox-static   (and run the tests as root)',
  },
];

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => executable(join(folder, program)));
}

function hasSpecs(project) {
  try {
    return readdirSync(join(root, 'test', project), { recursive: true }).some((file) => file.endsWith('.spec.ts'));
  } catch {
    return false;
  }
}

/**
 * Suites that wait for real clients, processes and timers. Never those of rules, races, contracts and chaos: what they see
 * once in a hundred runs is a fault that was found.
 */
const secondChance = ['platform', 'e2e', 'engine', 'browser', 'redis', 'agents'];
const MOST_SECOND_CHANCES = 3;

/** Passed, failed and skipped tests, and the failed suites. A spec file that could not be run at all is one failed test. */
function count(resultFile) {
  try {
    const result = JSON.parse(readFileSync(resultFile, 'utf8'));
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
      skipped: result.numPendingTests + result.numTodoTests,
      failedSuites: result.testResults
        .filter(({ status }) => status === 'failed')
        .map(({ name }) => relative(root, name)),
    };
  } catch {
    return undefined;
  }
}

function hasSecondChance(suite) {
  return secondChance.some((project) => suite.startsWith(join('test', project) + sep));
}

async function runJest(args, resultFile) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const child = start([jest, ...args, '--json', `--outputFile=${resultFile}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return (await ended(child)) === 0;
}

const since = performance.now();
const received = forwardSignals();
const missing = needs.filter(({ project, present }) => hasSpecs(project) && !present());

console.log(`Node ${process.versions.node}: ${checks.map(({ name }) => name).join(', ')}, then the tests`);
const failedChecks = await runChecks(checks, received);

const scratch = mkdtempSync(join(tmpdir(), 'horarium-result-'));
let counted;
let green = false;
let flaky = [];
try {
  if (received.signal === undefined) {
    const resultFile = join(scratch, 'result.json');
    const leftOut = missing.length === 0 ? [] : ['--ignoreProjects', ...missing.map(({ project }) => project)];
    const given = process.argv.slice(2);
    green = await runJest([...given, ...leftOut], resultFile);
    counted = count(resultFile);
    const suspects = counted?.failedSuites ?? [];
    const mayRepeat = suspects.length <= MOST_SECOND_CHANCES && suspects.every(hasSecondChance);
    if (!green && given.length === 0 && suspects.length > 0 && mayRepeat && received.signal === undefined) {
      console.log(`\nonce more, by themselves: ${suspects.join(', ')}`);
      const again = join(scratch, 'again.json');
      green = await runJest(['--runInBand', '--runTestsByPath', ...suspects], again);
      const repeated = count(again);
      if (green && repeated.passed >= counted.failed) {
        flaky = suspects;
        counted = { ...counted, passed: counted.passed + counted.failed, failed: 0 };
      } else green = false;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

console.log('');
for (const name of failedChecks) console.log(`FAILED: ${name} (see above; alone: node scripts/checks.mjs ${name})`);
if (received.signal !== undefined) console.log(`ended by ${received.signal}`);
else if (counted === undefined) console.log('FAILED: the test runner ended without a result');
for (const suite of flaky) console.log(`FLAKY: ${suite} failed in the whole run and passed by itself: mend it`);
console.log(`took ${seconds(since)}`);
const strict = process.env.CI === 'true';
for (const { project, what, install } of missing) {
  console.log(`${strict ? 'FAILED' : 'NOT RUN'}: test/${project}, because ${what} is missing. Install it: ${install}`);
}

const { passed, failed, skipped } = counted ?? { passed: 0, failed: 1, skipped: 0 };
// Arguments choose tests; without them, what was skipped needs another machine.
if (skipped > 0 && process.argv.length === 2) {
  console.log(`NOT RUN: ${skipped} tests that this machine or user is not fit for (most of them need root)`);
}
const alsoFailed = failedChecks.length + (strict ? missing.length : 0);
console.log(`${passed} passed, ${failed + alsoFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode ||= green && alsoFailed === 0 && counted !== undefined ? 0 : 1;
