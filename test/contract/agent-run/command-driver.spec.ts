import { existsSync, readFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LaunchFailedError } from '../../../src/agent-run/domain/errors';
import type { RunEnd } from '../../../src/agent-run/domain/run-end';
import { RootedWorkingFolders } from '../../../src/agent-run/outbound/rooted-working-folders';
import { RunTraces } from '../../../src/agent-run/outbound/command/run-traces';
import type { Launch } from '../../../src/agent-run/ports/assistant-driver';
import { AGENT, driverBench, launchOf, type DriverBench } from '../../support/agents/driver-bench';
import { appears, untilGone } from '../../support/agents/appears';

let bench: DriverBench;
beforeAll(async () => {
  bench = await driverBench();
});
afterAll(() => bench.close());

async function endOf(launch: Launch): Promise<RunEnd> {
  return (await bench.driver.start(launch)).ended;
}

async function told(
  launch: Launch,
): Promise<{ args: string[]; env: Record<string, string>; cwd: string; stdin: string | null }> {
  const end = await endOf(launch);
  expect(end).toMatchObject({ status: 'success', error: null, exitCode: 0 });
  return JSON.parse(end.output.text) as Awaited<ReturnType<typeof told>>;
}

describe('what the program is given', () => {
  test('the prompt on standard input, byte for byte', async () => {
    const prompt = '日本 "quotes" $HOME `id` ; rm -rf /\n\t😀 end';
    expect((await endOf(launchOf(['echo'], {}, { prompt }))).output.text).toBe(prompt);
  });

  test('the prompt as the one argument, never read by a shell', async () => {
    const prompt = "$(id) \"; && 'x' $& $1";
    const seen = await told(launchOf(['tell', 'no-stdin', '{prompt}', 'after'], {}, { prompt }));
    expect(seen.args).toEqual(['no-stdin', prompt, 'after']);
  });

  test('a prompt that looks like an option stays an argument', async () => {
    const prompt = '--dangerously-skip-permissions';
    expect((await told(launchOf(['tell', 'no-stdin', '{prompt}'], {}, { prompt }))).args[1]).toBe(` ${prompt}`);
    expect((await told(launchOf(['tell', 'no-stdin', '--', '{prompt}'], {}, { prompt }))).args[2]).toBe(prompt);
    expect((await told(launchOf(['tell', 'no-stdin', '--text={prompt}'], {}, { prompt }))).args[1]).toBe(
      `--text=${prompt}`,
    );
  });

  test('PATH, HOME, LANG, TZ, what the assistant lists, and what it serves: nothing else', async () => {
    const metadata = {
      scheduled_task_id: 'task-1',
      scheduled_task_run_id: 'task-run-1',
      scheduled_trigger: 'manual',
      scheduled_for: '2026-12-01T08:00:00Z',
      something_else: 'x',
    };
    const launch = launchOf(['tell'], { env: ['MODE=a=b', 'NOT_SET'] }, { metadata });
    expect((await told(launch)).env).toEqual({
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      TZ: 'UTC',
      MODE: 'a=b',
      HORARIUM_TASK_ID: 'task-1',
      HORARIUM_RUN_ID: 'task-run-1',
      HORARIUM_TRIGGER: 'manual',
      HORARIUM_SCHEDULED_FOR: '2026-12-01T08:00:00Z',
      HORARIUM_THREAD_ID: launch.threadId,
      HORARIUM_AGENT_RUN_ID: launch.agentRunId,
      HORARIUM_NON_INTERACTIVE: '1',
    });
  });

  test('a variable of the operator passes when it is listed; a run without a task is named by itself', async () => {
    const launch = launchOf(['tell'], { env: ['SECRET'] });
    const { env } = await told(launch);
    expect(env).toMatchObject({ SECRET: 'operator only', HORARIUM_RUN_ID: launch.agentRunId });
    expect(env).not.toHaveProperty('HORARIUM_TASK_ID');
  });

  test('the folder of its thread, the same one at the next run', async () => {
    const first = await told(launchOf(['tell'], {}, { threadId: 'conversation' }));
    const second = await told(launchOf(['tell'], {}, { threadId: 'conversation' }));
    expect(first.cwd).toBe(await realpath(bench.threadFolder('conversation')));
    expect(second.cwd).toBe(first.cwd);
  });
});

describe('the working folder', () => {
  let root: string;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'horarium-root-')));
    await mkdir(join(root, 'inside'));
    await symlink('/etc', join(root, 'way-out'));
  });
  afterAll(() => rm(root, { recursive: true }));

  test('may be chosen inside the roots that the operator allows', async () => {
    const launch = launchOf(['tell'], { roots: [root] }, { workingFolder: join(root, 'inside') });
    expect((await told(launch)).cwd).toBe(join(root, 'inside'));
  });

  test.each(['/etc', '/no/such/folder', 'way-out', 'inside/../..', '..'])('%s is refused', async (asked) => {
    const workingFolder = asked.startsWith('/') ? asked : `${root}/${asked}`;
    const refused = bench.driver.start(launchOf(['tell'], { roots: [root] }, { workingFolder }));
    await expect(refused).rejects.toMatchObject({ kind: 'invalid', field: 'working_folder' });
  });

  test('may not be the data folder nor in it, whatever roots lie around it; a root within it opens itself', async () => {
    const house = join(root, 'inside');
    await mkdir(join(house, 'agents', 'of-another'), { recursive: true });
    const resolve = (roots: string[], asked: string) =>
      new RootedWorkingFolders(roots, [house]).resolve(launchOf([]).assistant, asked);
    for (const asked of [house, join(house, 'agents', 'of-another')]) {
      for (const around of [root, '/', house])
        await expect(resolve([around], asked)).rejects.toMatchObject({ field: 'working_folder' });
    }
    expect(await resolve([root], root)).toBe(root);
    expect(await resolve([join(house, 'agents')], join(house, 'agents'))).toBe(join(house, 'agents'));
  });

  test('is refused altogether when no roots are allowed', async () => {
    const refused = bench.driver.start(launchOf(['tell'], {}, { workingFolder: root }));
    await expect(refused).rejects.toThrow('the operator allows no folders');
  });

  test('may be fixed by the assistant', async () => {
    expect((await told(launchOf(['tell'], { cwd: root }))).cwd).toBe(root);
  });
});

describe('a launch that cannot be says what to mend, and is certain that nothing runs', () => {
  const refusal = async (settings: Record<string, unknown>, more: Partial<Launch> = {}): Promise<string> => {
    const error: unknown = await bench.driver.start(launchOf(['deaf'], settings, more)).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(LaunchFailedError);
    return (error as Error).message;
  };

  test('program not on PATH, or not where it should be', async () => {
    expect(await refusal({ command: ['no-such-agent'] })).toMatch(
      /"no-such-agent" was not found on PATH \(.+\)\. Install it/,
    );
    expect(await refusal({ command: ['/no/such/agent'] })).toMatch('/no/such/agent does not exist');
  });

  test('program not executable, or without its interpreter', async () => {
    const file = join(bench.dataFolder, 'program');
    await writeFile(file, 'x');
    await chmod(file, 0o644);
    // Root may read anything, and yet not execute what nobody may execute.
    expect(await refusal({ command: [file] })).toMatch(/not executable: chmod \+x it/);
    await chmod(file, 0o755);
    expect(await refusal({ command: [file] })).toMatch('a script needs a first line such as #!/bin/sh');
    await writeFile(file, '#!/no/such/interpreter\n');
    expect(await refusal({ command: [file] })).toMatch('the interpreter that its first line names does not exist');
  });

  test('working folder missing', async () => {
    expect(await refusal({ cwd: '/no/such/folder' })).toMatch('working folder /no/such/folder does not exist');
  });

  test('prompt too long for an argument', async () => {
    const settings = { command: [process.execPath, AGENT, 'deaf', '{prompt}'] };
    expect(await refusal(settings, { prompt: 'x'.repeat(200_000) })).toMatch(
      'let the assistant take it on standard input',
    );
  });
});

describe('what is kept of the outputs', () => {
  test('at most the limit of each; what came after is counted, and no character is cut in two', async () => {
    const end = await endOf(launchOf(['flood', '1500'], { output_limit_bytes: 1025 }));
    expect(end.status).toBe('success');
    expect(end.output).toEqual({ text: 'é'.repeat(512), droppedBytes: 3000 - 1024 });
    expect(end.errorOutput).toEqual({ text: 'x'.repeat(1025), droppedBytes: 1500 - 1025 });
  });

  test('1 MiB by default, without holding up a program that writes more', async () => {
    const end = await endOf(launchOf(['flood', '4000000']));
    expect(Buffer.byteLength(end.output.text)).toBe(1024 * 1024);
    expect(end.output.droppedBytes).toBe(8_000_000 - 1024 * 1024);
    expect(end.errorOutput.droppedBytes).toBe(4_000_000 - 1024 * 1024);
  });

  test('invalid UTF-8 and NUL are replaced', async () => {
    expect((await endOf(launchOf(['bytes']))).output.text).toBe('a\uFFFD\uFFFDé');
  });
});

describe('how a run ends', () => {
  test('exit 0 is success, also of a program that never reads a large prompt', async () => {
    const end = await endOf(launchOf(['deaf'], {}, { prompt: 'x'.repeat(1_000_000) }));
    expect(end).toMatchObject({ status: 'success', exitCode: 0 });
  });

  test('any other exit is an error that names the code and the last line of the error output', async () => {
    const end = await endOf(launchOf(['exit', '3']));
    expect(end).toMatchObject({ status: 'error', exitCode: 3, error: 'The agent failed (exit code 3): the reason' });
    expect(end.errorOutput.text).toBe('first line\nthe reason\n');
  });

  test('a program killed by somebody else is an error that names the signal', async () => {
    const launch = launchOf(['wait']);
    const { ended } = await bench.driver.start(launch);
    process.kill(Number(await appears(join(bench.threadFolder(launch.threadId), 'ready'))), 'SIGKILL');
    expect(await ended).toMatchObject({ status: 'error', exitCode: null, error: 'The agent failed (signal SIGKILL).' });
  });

  test('past its time it gets TERM, and its last words are kept', async () => {
    const launch = launchOf(['graceful'], { timeout_seconds: 1 });
    const end = await endOf(launch);
    expect(end).toMatchObject({ status: 'timeout', error: 'The agent was ended: it did not finish within 1 s.' });
    expect(end.output.text).toBe('goodbye\n');
  });

  test('one that does not heed TERM gets KILL after the grace', async () => {
    const impatient = await driverBench(undefined, { graceMs: 100 });
    const launch = launchOf(['stubborn']);
    const { ended } = await impatient.driver.start(launch);
    await appears(join(impatient.threadFolder(launch.threadId), 'ready'));
    await impatient.driver.cancel(launch.requestId, 'cancelled by alice');
    const end = await ended;
    expect(end).toMatchObject({ status: 'interrupted', error: 'cancelled by alice' });
    expect(end.output.text).toBe('no\n');
    await impatient.close();
  });

  test('cancelling twice, or after the end, does nothing', async () => {
    const launch = launchOf(['wait']);
    const { ended } = await bench.driver.start(launch);
    await bench.driver.cancel(launch.requestId, 'first');
    await bench.driver.cancel(launch.requestId, 'second');
    expect(await ended).toMatchObject({ status: 'interrupted', error: 'first' });
    await bench.driver.cancel(launch.requestId, 'third');
    await expect(bench.driver.status(launch.requestId)).resolves.toEqual({ state: 'unknown' });
  });

  test('children that it leaves behind end with it and do not hold the run', async () => {
    const launch = launchOf(['parent']);
    const end = await endOf(launch);
    expect(end).toMatchObject({ status: 'success', output: { text: 'done\n' } });
    await untilGone(Number(await appears(join(bench.threadFolder(launch.threadId), 'grandchild'))));
  });

  test('a child in a session of its own cannot be reached, and does not hold the run either', async () => {
    const launch = launchOf(['daemon']);
    const end = await endOf(launch);
    expect(end).toMatchObject({ status: 'success', output: { text: 'done\n' } });
    process.kill(Number(await appears(join(bench.threadFolder(launch.threadId), 'grandchild'))), 'SIGKILL');
  });
});

describe('finding a run again', () => {
  test('the same request is not started twice', async () => {
    const launch = launchOf(['wait']);
    const first = await bench.driver.start(launch);
    expect(await bench.driver.start(launch)).toBe(first);
    await bench.driver.cancel(launch.requestId, 'over');
    await first.ended;
  });

  test('a run of another process on this machine is found and ended; one that nobody started is unknown', async () => {
    const launch = launchOf(['wait']);
    const { ended } = await bench.driver.start(launch);
    await appears(join(bench.threadFolder(launch.threadId), 'ready'));
    const other = await bench.again();
    expect(await other.find(launch.requestId)).toEqual({ state: 'running' });
    expect(await other.leftBehind()).toContain(launch.requestId);
    expect(await bench.driver.leftBehind()).not.toContain(launch.requestId);
    await other.cancel(launch.requestId, 'its process is gone');
    expect(await ended).toMatchObject({ status: 'error', error: 'The agent failed (signal SIGKILL).' });
    expect(await other.find(launch.requestId)).toEqual({ state: 'unknown' });
    expect(await other.find('never-heard-of')).toEqual({ state: 'unknown' });
  });

  /** What another process finds of a run that has ended, and that nobody has forgotten yet. */
  const foundAfter = async (launch: Launch, kill?: NodeJS.Signals) => {
    const { ended } = await bench.driver.start(launch);
    if (kill !== undefined) {
      process.kill(Number(await appears(join(bench.threadFolder(launch.threadId), 'ready'))), kill);
    }
    await ended;
    return (await bench.again()).find(launch.requestId, launch);
  };
  const heard = (output: string, errorOutput = ''): Partial<Launch> => ({
    heard: () => Promise.resolve({ output, errorOutput }),
  });

  test('how it ended is known to another process, with what was heard; until it is forgotten', async () => {
    const launch = launchOf(['deaf'], {}, heard('as far as it was heard\n'));
    expect(await foundAfter(launch)).toMatchObject({
      state: 'ended',
      end: { status: 'success', exitCode: 0, output: { text: 'as far as it was heard\n' } },
    });
    await bench.driver.forget(launch.requestId);
    expect(await (await bench.again()).find(launch.requestId, launch)).toEqual({ state: 'unknown' });
  });

  test('an exit is a failure; what it told of itself counts; a signal may be the death of the house', async () => {
    expect(await foundAfter(launchOf(['exit', '3'], {}, heard('', 'first\nthe reason\n')))).toMatchObject({
      end: { status: 'error', exitCode: 3, error: 'The agent failed (exit code 3): the reason' },
    });
    const told = JSON.stringify({ input_needed: true, error: 'Which branch?' });
    expect(await foundAfter(launchOf(['deaf'], {}, heard(`thinking\n${told}\n`)))).toMatchObject({
      end: { status: 'error', reason: 'input_needed' },
    });
    expect(await foundAfter(launchOf(['wait'], {}, heard('begun')), 'SIGKILL')).toMatchObject({
      end: { status: 'interrupted', presumed: true, exitCode: null, output: { text: 'begun' } },
    });
  });

  test('also when its assistant is gone', async () => {
    const launch = launchOf(['exit', '4']);
    await (
      await bench.driver.start(launch)
    ).ended;
    expect(await (await bench.again()).find(launch.requestId)).toMatchObject({
      state: 'ended',
      end: { status: 'error', exitCode: 4 },
    });
  });

  test('what a dead neighbour on this machine has left is told, not removed, and believed of this very user only', async () => {
    const launch = launchOf(['exit', '4']);
    await (
      await bench.driver.start(launch)
    ).ended;
    const other = await driverBench();
    try {
      expect(await other.driver.find(launch.requestId, launch)).toEqual({ state: 'unknown' });
      const left = { ...launch, leftIn: bench.dataFolder };
      const told = { state: 'ended', end: { status: 'error', exitCode: 4 } };
      expect(await other.driver.find(launch.requestId, left)).toMatchObject(told);
      await other.driver.forget(launch.requestId);
      expect(await other.driver.find(launch.requestId, left)).toMatchObject(told);
      jest.spyOn(process, 'getuid').mockReturnValue(process.getuid!() + 1);
      expect(await other.driver.find(launch.requestId, left)).toEqual({ state: 'unknown' });
    } finally {
      jest.restoreAllMocks();
      await other.close();
    }
  });

  test('a trace that was only begun, or that is of another start of the machine, names nobody', async () => {
    const folder = join(bench.dataFolder, 'running');
    const traces = await RunTraces.open(folder);
    const begun = await traces.begin('begun');
    await begun?.close();
    expect(await traces.read('begun')).toEqual({ requestId: 'begun', livePid: undefined, exitCode: null });
    const own = await readFile(`/proc/${process.pid}/stat`, 'utf8');
    const file = (await readdir(folder))
      .map((name) => join(folder, name))
      .find((name) => readFileSync(name, 'utf8').includes('"begun"'))!;
    await appendFile(file, `${process.pid}\n${own}`);
    expect(await traces.read('begun')).toMatchObject({ livePid: process.pid });
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"boot":"[^"]*"/, '"boot":"another"'));
    expect(await traces.read('begun')).toMatchObject({ livePid: undefined });
  });
});

const canLimit = ['/usr/bin/prlimit', '/bin/prlimit'].some((file) => existsSync(file));
(canLimit ? describe : describe.skip)('what a program may use of the machine', () => {
  test('is limited where the operator says so: how nice it is, and its memory', async () => {
    const command = ['/bin/sh', '-c', 'ulimit -d; nice'];
    const own = Number((await endOf(launchOf([], { command }))).output.text.trim().split('\n')[1]);
    const limited = await endOf(launchOf([], { command, nice: 5, memory_limit_mb: 256 }));
    expect(limited).toMatchObject({ status: 'success', output: { text: `262144\n${Math.min(19, own + 5)}\n` } });
  });
});
