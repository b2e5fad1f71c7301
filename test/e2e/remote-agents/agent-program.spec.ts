// The agent itself, in processes of its own, as it runs on a machine that has nothing of the server.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentHouse, agentHouse } from '../../support/agents/agent-house';
import { horarium } from '../../support/cli';
import { ServerProcess } from '../../support/server-process';

// A process of its own compiles all that it loads: slow on a machine that does other things.
jest.setTimeout(180_000);

let house: AgentHouse;
let machine: string;

beforeAll(async () => {
  house = await agentHouse();
  machine = mkdtempSync(join(tmpdir(), 'horarium-machine-'));
});
afterAll(async () => {
  await ServerProcess.endAll();
  await house.close();
  rmSync(machine, { recursive: true });
});

const agent = (...words: string[]) =>
  ServerProcess.cli(['agent', ...words], { cwd: machine, env: { HORARIUM_DATA_DIR: join(machine, 'data') } });
const identityFile = (): string => join(machine, 'data', 'remote-agent', 'identity.json');

test('a machine enrols, is there, finds its way back after its certificate has ended, and hears of its revocation', async () => {
  const operator = horarium({
    HORARIUM_URL: house.app.url,
    HORARIUM_TOKEN: await house.app.token('olga', { roles: ['operator'] }),
  });
  const here = horarium({ HORARIUM_DATA_DIR: join(machine, 'data') });
  const { stdout: token } = await operator('agents', 'token', '--label', 'linux');
  const enrolled = await here(
    'agent',
    'enroll',
    '--server',
    house.app.url,
    '--token',
    token.trim(),
    '--name',
    'box',
    '--json',
  );
  expect([enrolled.stderr, enrolled.code]).toEqual(['', 0]);
  const { agent_id: id } = JSON.parse(enrolled.stdout) as { agent_id: string };
  expect(statSync(identityFile()).mode & 0o777).toBe(0o600);

  // As if it had slept through its renewal.
  const kept = JSON.parse(readFileSync(identityFile(), 'utf8')) as Record<string, string>;
  const ended = new Date(Date.now() - 60_000).toISOString();
  writeFileSync(identityFile(), JSON.stringify({ ...kept, notAfter: ended, renewAfter: ended }));
  const running = agent('run');
  let shown = '';
  while (!shown.includes('online')) {
    await house.app.ticker.ticked('agent-heartbeats');
    shown = (await operator('agents', 'list')).stdout;
  }
  expect(shown).toMatch(/box .*online.*linux/);
  const after = JSON.parse(readFileSync(identityFile(), 'utf8')) as Record<string, string>;
  expect(after.agentId).toBe(id);
  expect(after.certificate).not.toBe(kept.certificate);
  expect(after.key).not.toBe(kept.key);

  await ServerProcess.endAll();
  expect(await running).toMatchObject({ code: 0, stdout: 'Stopped.\n' });
  expect((await running).stderr).toMatch(/a new certificate was given[\s\S]*connected to https:/);

  expect((await operator('agents', 'revoke', id)).stdout).toMatch(/certificates revoked/);
  const refused = await here('agent', 'run');
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('revoked')]);
});

test('who is not enrolled, types nonsense, or would send the token in the clear, is told so', async () => {
  const elsewhere = { HORARIUM_DATA_DIR: join(machine, 'elsewhere') };
  const cli = horarium(elsewhere);
  expect((await cli('agent', 'run')).stderr).toContain('not enrolled');
  expect((await cli('agent', 'enroll', '--server', 'nowhere', '--token', 'hzt_x')).code).toBe(2);
  expect((await cli('agent', 'enroll', '--server', 'https://h', '--token', 'x')).code).toBe(2);
  const clear = await cli('agent', 'enroll', '--server', 'http://h.example.org', '--token', 'hzt_x');
  expect([clear.code, clear.stderr]).toEqual([2, expect.stringContaining('in the clear')]);
});
