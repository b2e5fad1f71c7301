// Test support, a process of its own. Ends an engine of the tests and all that ran on it, and removes its folder, as soon as
// its standard input ends: when the tests say so, or when they are dead, however they died. Everything by its id.
const { execFileSync } = require('node:child_process');
const { readdirSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.argv[2];
const text = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const lives = (pid) => !['', 'Z'].includes(/\) (\S)/.exec(text(`/proc/${pid}/stat`))?.[1] ?? '');
const kill = (pid, signal) => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
};
/** Programs whose words name the folder, which is nobody else's. */
const ours = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => text(`/proc/${pid}/cmdline`).includes(`${folder}/`));

async function gone(pids, ms) {
  for (const until = Date.now() + ms; pids.some(lives) && Date.now() < until;) {
    await new Promise((again) => setTimeout(again, 50));
  }
}

async function end() {
  const tasks = join(folder, 'exec/containerd/daemon/io.containerd.runtime.v2.task/moby');
  const containers = () => {
    try {
      return readdirSync(tasks).map((id) => Number(text(join(tasks, id, 'init.pid'))));
    } catch {
      return [];
    }
  };
  // With the first process of a container all of it ends; then nobody has to be waited for politely.
  for (const pid of containers().filter((pid) => pid > 1)) kill(pid, 'SIGKILL');
  const engine = ours().filter((pid) => text(`/proc/${pid}/comm`).trim() === 'dockerd');
  for (const pid of engine) kill(pid, 'SIGTERM');
  await gone(engine, 15_000);
  for (const pid of containers().filter((pid) => pid > 1)) kill(pid, 'SIGKILL');
  const left = ours();
  for (const pid of left) kill(pid, 'SIGKILL');
  await gone(left, 5_000);
  const mounts = text('/proc/mounts').split('\n');
  for (const mount of mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${folder}/`))) {
    try {
      execFileSync('umount', ['-l', mount], { stdio: 'ignore' });
    } catch {
      // One above it went first.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

process.stdin.resume();
process.stdin.once('end', () => void end().then(() => process.exit(0)));
process.stdin.once('error', () => void end().then(() => process.exit(0)));
