// What comes before the tests: the build that some of them start, and what can be said about the sources without running
// them (types, lint, walls, format). `npm run lint` runs some, scripts/test.mjs all: one list, so that they cannot differ.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const tool = (path) => join(root, 'node_modules', path);
const folders = ['src', 'test', 'bench'].filter((folder) => existsSync(join(root, folder)));

export const checks = [
  { name: 'build', command: [join(root, 'scripts/build.mjs'), '--if-stale'] },
  { name: 'types', command: [tool('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'lint', command: [tool('eslint/bin/eslint.js'), '.'] },
  {
    name: 'walls',
    command: [tool('dependency-cruiser/bin/dependency-cruise.mjs'), ...folders, '--config', '.dependency-cruiser.cjs'],
  },
  { name: 'format', command: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'] },
];

const running = new Set();

/** Starts a Node program in a process group of its own, so that it can be ended with all that it started. */
export function start(command, options = {}) {
  const child = spawn(process.execPath, command, { cwd: root, detached: true, ...options });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** The exit code; a child that a signal ended counts as failed. */
export function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Hands Ctrl-C and SIGTERM on to what runs; whoever has not ended after `graceMs` is killed. */
export function forwardSignals({ graceMs = 15_000 } = {}) {
  const received = { signal: undefined };
  const forward = (signal, number) => {
    received.signal ??= signal;
    process.exitCode = 128 + number;
    // The program itself gets the signal first: it knows what has to be put away (a database, a browser).
    for (const child of running) child.kill(signal);
    setTimeout(() => {
      for (const child of running) signalGroup(child, 'SIGKILL');
    }, graceMs).unref();
  };
  process.on('SIGINT', () => forward('SIGINT', 2));
  process.on('SIGTERM', () => forward('SIGTERM', 15));
  return received;
}

export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs one check, quietly; its output appears in one piece when it has ended, and only when it found something. */
async function runCheck({ name, command }) {
  const since = performance.now();
  const child = start(command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => (output += text));
  }
  const ok = (await ended(child)) === 0;
  if (!ok) process.stdout.write(`\n${output.trimEnd()}\n\n`);
  console.log(`${name.padEnd(8)}${ok ? 'ok' : 'FAILED'}  ${seconds(since)}`);
  return ok ? [] : [name];
}

/** Runs the checks, two at a time. Returns the names of those that failed. */
export async function runChecks(list, received) {
  const waiting = [...list];
  const failed = [];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (received.signal !== undefined) return;
      failed.push(...(await runCheck(next)));
    }
  };
  await Promise.all([lane(), lane()]);
  return failed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2);
  const received = forwardSignals();
  const failed = await runChecks(
    checks.filter(({ name }) => names.length === 0 || names.includes(name)),
    received,
  );
  process.exitCode ||= failed.length === 0 ? 0 : 1;
}
