// A program to be run as an agent: its first argument says how it behaves. It tells the test what it reached through
// files in its working folder, so that no test has to wait for a while and hope.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';

const [behaviour, ...args] = process.argv.slice(2);
const ready = (name = 'ready') => writeFileSync(name, String(process.pid));
const forever = () => setInterval(() => {}, 1 << 30);
const stdin = () => readFileSync(0, 'utf8');

const behaviours = {
  /** Prints all that it was given. */
  tell: () =>
    console.log(
      JSON.stringify({ args, env: process.env, cwd: process.cwd(), stdin: args.includes('no-stdin') ? null : stdin() }),
    ),
  echo: () => process.stdout.write(stdin()),
  exit: () => {
    console.error('first line\nthe reason');
    process.exit(Number(args[0]));
  },
  fail: () => {
    console.error(args[0]);
    process.exit(1);
  },
  print: () => console.log(args[0]),
  /** Keeps its conversations by a name of its own, as command-line agents do, and tells it with the answer. */
  remember: () => {
    const session = args[0] ?? randomUUID();
    const file = `session-${session}.json`;
    if (args[0] !== undefined && !existsSync(file)) throw new Error(`no conversation ${session}`);
    const said = [...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []), stdin()];
    writeFileSync(file, JSON.stringify(said));
    console.log('Thinking.');
    console.log(JSON.stringify({ result: said.join('+'), session_id: session }));
  },
  /** Says one half, and the other when it is told to go on. */
  talk: () => {
    process.stdout.write('one 日\n');
    ready();
    void waitForFile('go-on').then(() => process.stdout.write('two\n'));
  },
  /** Says that it has begun, and ends well, without another word, when it is told to. */
  finish: () => {
    process.stdout.write('begun\n');
    ready();
    const look = setInterval(() => existsSync('go-on') && clearInterval(look), 20);
  },
  deaf: () => process.exit(0),
  flood: () =>
    process.stdout.write('é'.repeat(Number(args[0])), () => process.stderr.write('x'.repeat(Number(args[0])))),
  bytes: () => process.stdout.write(Buffer.from([0x61, 0xff, 0x00, 0xc3, 0xa9])),
  wait: () => {
    forever();
    ready();
  },
  stubborn: () => {
    process.on('SIGTERM', () => process.stdout.write('no\n'));
    forever();
    ready();
  },
  graceful: () => {
    process.on('SIGTERM', () => process.stdout.write('goodbye\n', () => process.exit(0)));
    forever();
    ready();
  },
  /** Leaves a child of the same group behind, which holds the pipes. */
  parent: () => {
    const child = spawn(process.execPath, [process.argv[1], 'wait'], { stdio: 'inherit' });
    waitForFile('ready').then(() => {
      writeFileSync('grandchild', String(child.pid));
      process.stdout.write('done\n', () => process.exit(0));
    });
  },
  /** Leaves a child in a session of its own behind, which holds the pipes and is out of reach. */
  daemon: () => {
    const child = spawn(process.execPath, [process.argv[1], 'wait'], { stdio: 'inherit', detached: true });
    child.unref();
    waitForFile('ready').then(() => {
      writeFileSync('grandchild', String(child.pid));
      process.stdout.write('done\n', () => process.exit(0));
    });
  },
  /** Does what the prompt says: reads each file or folder named on a line, and tells what it saw. */
  spy: async () => {
    for (const path of stdin().trim().split('\n')) {
      const seen = await readFile(path, 'utf8').catch(async (error) =>
        error.code === 'EISDIR' ? (await readdir(path).catch((e) => [e.code])).join(' ') : error.code,
      );
      console.log(`${path}: ${seen}`);
    }
  },
  write: () => writeFileSync(args[0], 'written'),
};

async function waitForFile(name) {
  while (!(await readdir('.')).includes(name)) await new Promise((resolve) => setImmediate(resolve));
}

await behaviours[behaviour]();
