// Agents are prompted to read the house's secrets, and fail to: as another user when these tests run as root, and
// behind bubblewrap where it works. On a machine with neither there is nothing to prove, and the run says so.
import { chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentFolders } from '../../../src/agent-run/outbound/command/agent-folders';
import { bubblewrapArgs, detectIsolation, thisMachine } from '../../../src/agent-run/outbound/command/isolation';
import { findUser, houseUsers, obstacle } from '../../../src/agent-run/outbound/command/operating-user';
import type { Isolation } from '../../../src/agent-run/outbound/command/isolation';
import { driverBench, launchOf, NO_ISOLATION, type DriverBench } from '../../support/agents/driver-bench';
import { appears } from '../../support/agents/appears';

const root = thisMachine.isRoot;
const bubblewrap = thisMachine.bubblewrapWorks();
const never = (): Promise<boolean> => Promise.resolve(false);
const always = (): Promise<boolean> => Promise.resolve(true);
const noHouse = { houseUsers: new Map<number, string>() };

async function withSecrets(isolation: Isolation): Promise<DriverBench> {
  const bench = await driverBench(isolation);
  await writeFile(join(bench.dataFolder, 'operator-token'), 'TOP-SECRET-TOKEN\n', { mode: 0o600 });
  await mkdir(join(bench.dataFolder, 'secrets'), { mode: 0o700 });
  await writeFile(join(bench.dataFolder, 'secrets', 'jwt-secret'), 'TOP-SECRET-JWT\n', { mode: 0o644 });
  return bench;
}

/** What an agent sees that is told to read the secrets, the house's own environment, and other agents' folders. */
async function spied(bench: DriverBench): Promise<string> {
  const another = launchOf(['write', 'diary'], {}, { threadId: 'another-thread' });
  await (
    await bench.driver.start(another)
  ).ended;
  const prompt = [
    join(bench.dataFolder, 'operator-token'),
    join(bench.dataFolder, 'secrets'),
    join(bench.dataFolder, 'secrets', 'jwt-secret'),
    `/proc/${process.pid}/environ`,
    join(bench.dataFolder, 'agents'),
    join(bench.dataFolder, 'running'),
  ].join('\n');
  const end = await (await bench.driver.start(launchOf(['spy'], {}, { prompt }))).ended;
  expect(end).toMatchObject({ status: 'success', errorOutput: { text: '' } });
  return end.output.text;
}

(root ? describe : describe.skip)('as root: another user of the operating system', () => {
  let bench: DriverBench;
  beforeAll(async () => {
    bench = await withSecrets(await detectIsolation(undefined, { ...thisMachine, ...noHouse }));
  });
  afterAll(() => bench.close());

  test('an agent that is told to read the secrets fails to', async () => {
    const seen = await spied(bench);
    expect(
      seen
        .trim()
        .split('\n')
        .map((line) => line.split(': ')[1]),
    ).toEqual(Array(6).fill('EACCES'));
  });

  test('it is nobody, without the groups of root, and writes to its own folder only', async () => {
    const launch = launchOf(['write', 'mine']);
    expect(await (await bench.driver.start(launch)).ended).toMatchObject({ status: 'success' });
    const nobody = await findUser('nobody');
    expect(await stat(join(bench.threadFolder(launch.threadId), 'mine'))).toMatchObject({
      uid: nobody?.uid,
      gid: nobody?.gid,
    });
    const outside = launchOf(['write', join(bench.dataFolder, 'planted')]);
    expect((await (await bench.driver.start(outside)).ended).errorOutput.text).toContain('EACCES');
    const groups = launchOf([], { command: ['id', '-G'] });
    expect((await (await bench.driver.start(groups)).ended).output.text.trim()).toBe(String(nobody?.gid));
  });

  test('an assistant may name a user of its own; one that does not exist is a certain refusal', async () => {
    const launch = launchOf([], { command: ['id', '-un'], user: 'daemon' });
    expect((await (await bench.driver.start(launch)).ended).output.text).toBe('daemon\n');
    const unknown = launchOf(['deaf'], { user: 'no-such-user' });
    await expect(bench.driver.start(unknown)).rejects.toThrow('this machine has no such user');
  });

  test('an assistant may name neither root nor the owner of the database: each could read all there is', async () => {
    const daemon = await findUser('daemon');
    await mkdir(join(bench.dataFolder, 'postgres-18'));
    await chown(join(bench.dataFolder, 'postgres-18'), daemon?.uid ?? 0, daemon?.gid ?? 0);
    const house = await driverBench(NO_ISOLATION, { houseUsers: await houseUsers(bench.dataFolder) });
    const as = (user: string) => house.driver.start(launchOf(['deaf'], { user }));
    await expect(as('root')).rejects.toThrow("to run as root, who can read Horarium's secrets");
    await expect(as('daemon')).rejects.toThrow("to run as daemon, who can read the database's files");
    await house.close();
  });

  test('a program or folder out of the reach of that user is a refusal that names the obstacle', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'horarium-closed-'));
    await writeFile(join(closed, 'program'), '#!/bin/sh\n', { mode: 0o755 });
    const program = launchOf([], { command: [join(closed, 'program')] });
    await expect(bench.driver.start(program)).rejects.toThrow(`The user nobody may not enter ${closed}`);
    await mkdir(join(closed, 'work'));
    const folder = launchOf(['deaf'], { cwd: join(closed, 'work') });
    await expect(bench.driver.start(folder)).rejects.toThrow(`The user nobody may not enter ${closed}`);
    await rm(closed, { recursive: true });
  });

  test("ending the run ends the other user's processes too", async () => {
    const launch = launchOf(['wait']);
    const { ended } = await bench.driver.start(launch);
    await appears(join(bench.threadFolder(launch.threadId), 'ready'));
    await bench.driver.cancel(launch.requestId, 'enough');
    expect(await ended).toMatchObject({ status: 'interrupted' });
  });

  test('what agents need and cannot reach is copied to where they can', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'horarium-private-'));
    await writeFile(join(closed, 'agent.mjs'), 'content');
    const user = await findUser('nobody');
    const folders = await AgentFolders.open(bench.dataFolder, user);
    const copy = await folders.reachable(join(closed, 'agent.mjs'));
    expect(copy).toBe(join(bench.dataFolder, 'bundled', 'agent.mjs'));
    expect(user && (await obstacle(copy, user, 'read'))).toBeUndefined();
    expect(await folders.reachable(copy)).toBe(copy);
    await rm(closed, { recursive: true });
  });
});

describe('behind bubblewrap', () => {
  const behind = (name: string, work: () => Promise<void>): void =>
    test(name, async () => {
      if (await bubblewrap) return work();
      if (process.env['CI'] === 'true' && process.env['HORARIUM_EXPECT_BUBBLEWRAP'] === 'true')
        throw new Error('bubblewrap does not work here');
      console.warn('bubblewrap does not work on this machine: nothing was tested');
    });
  const fenced: Isolation = { kind: 'bubblewrap', user: undefined, inWords: () => '' };

  behind('an agent that is told to read the secrets fails to, though it is the same user', async () => {
    const bench = await withSecrets(fenced);
    const seen = await spied(bench);
    expect(seen).not.toMatch(/TOP-SECRET|another-thread/);
    expect(seen).toContain(`/proc/${process.pid}/environ: ENOENT`);
    await bench.close();
  });

  behind('it writes to its own folder, and nowhere else', async () => {
    const bench = await driverBench(fenced);
    const launch = launchOf(['write', 'mine']);
    expect(await (await bench.driver.start(launch)).ended).toMatchObject({ status: 'success' });
    expect((await stat(join(bench.threadFolder(launch.threadId), 'mine'))).isFile()).toBe(true);
    const outside = launchOf(['write', '/var/planted']);
    expect((await (await bench.driver.start(outside)).ended).errorOutput.text).toContain('EROFS');
    await bench.close();
  });

  behind('a working folder around the data folder does not bring the secrets back into sight', async () => {
    const bench = await withSecrets(fenced);
    const prompt = join(bench.dataFolder, 'operator-token');
    const end = await (await bench.driver.start(launchOf(['spy'], { cwd: tmpdir() }, { prompt }))).ended;
    expect(end.output.text).toContain('operator-token: ENOENT');
    await bench.close();
  });

  behind('its exit code is told, and it is ended with its last words', async () => {
    const bench = await driverBench(fenced);
    expect(await (await bench.driver.start(launchOf(['exit', '3']))).ended).toMatchObject({
      status: 'error',
      exitCode: 3,
    });
    const launch = launchOf(['graceful']);
    const { ended } = await bench.driver.start(launch);
    await appears(join(bench.threadFolder(launch.threadId), 'ready'));
    await bench.driver.cancel(launch.requestId, 'enough');
    expect(await ended).toMatchObject({ status: 'interrupted', output: { text: 'goodbye\n' } });
    await bench.close();
  });
});

describe('what is chosen', () => {
  test('as root: the user that the operator names, nobody by default', async () => {
    const as = (name?: string) => detectIsolation(name, { isRoot: true, bubblewrapWorks: never, ...noHouse });
    expect(await as()).toMatchObject({ kind: 'user', user: { name: 'nobody' } });
    expect((await as('daemon')).inWords()).toBe('run as the user daemon');
    expect((await as('root')).inWords()).toMatch(/^no isolation: agents run as root, that is as root/);
    await expect(as('no-such-user')).rejects.toThrow('HORARIUM_AGENT_USER: this machine has no user "no-such-user"');
  });

  test('as root: a user who owns the database is no isolation, and is said so', async () => {
    const daemon = await findUser('daemon');
    const house = { houseUsers: new Map([[daemon?.uid ?? -1, "the database's files"]]) };
    const isolation = await detectIsolation('daemon', { isRoot: true, bubblewrapWorks: never, ...house });
    expect(isolation).toMatchObject({ kind: 'none', user: { name: 'daemon' } });
    expect(isolation.inWords()).toMatch(/daemon and can read the database's files; name another one/);
  });

  test('otherwise bubblewrap where it works, else none, said in words', async () => {
    expect(await detectIsolation(undefined, { isRoot: false, bubblewrapWorks: always, ...noHouse })).toMatchObject({
      kind: 'bubblewrap',
    });
    const none = await detectIsolation(undefined, { isRoot: false, bubblewrapWorks: never, ...noHouse });
    expect(none.kind).toBe('none');
    expect(none.inWords()).toMatch(/^no isolation: agents run as the same user .* install bubblewrap/);
    const named = await detectIsolation('daemon', { isRoot: false, bubblewrapWorks: always, ...noHouse });
    expect(named.kind).toBe('bubblewrap');
    expect(named.inWords()).toMatch('HORARIUM_AGENT_USER=daemon has no effect: that takes root');
  });

  test('a private /tmp, unless something needed lies in the real one', () => {
    const fence = {
      dataFolder: '/srv/data',
      folders: ['/srv/data/agents/t'],
      cwd: '/srv/data/agents/t',
      argv: ['agent', '-p'],
    };
    expect(bubblewrapArgs(fence).join(' ')).toContain('--tmpfs /tmp --tmpfs /srv/data --bind /srv/data/agents/t');
    expect(bubblewrapArgs({ ...fence, argv: ['/tmp/agent'] }).join(' ')).toContain('--bind /tmp /tmp');
  });
});
