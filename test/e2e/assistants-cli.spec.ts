import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT } from '../support/agents/driver-bench';
import { horarium, type Horarium } from '../support/cli';

let folder: string;
let run: Horarium;
let env: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'horarium-cli-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'assistants.yaml');
  const agent = (...words: string[]): string => JSON.stringify([process.execPath, AGENT, ...words]);
  writeFileSync(
    file,
    [
      `echo: { title: Echo, command: ${agent('echo')}, env: [HORARIUM_TEST_NOT_SET] }`,
      'missing: { command: [no-such-agent] }',
      `silent: { command: ${agent('deaf')} }`,
      `login: { command: [sh, -c, 'echo "Please run /login" >&2; exit 1'] }`,
    ].join('\n'),
  );
  env = { HORARIUM_DATA_DIR: folder, HORARIUM_ASSISTANTS_FILE: file };
  run = horarium(env);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('assistant list, for people and as JSON, without a server', async () => {
  const { stdout, code } = await run('assistant', 'list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ID +DRIVER +TITLE\ndefault +command +Sample agent \(bundled\)\necho +command +Echo\n/);
  const json = JSON.parse((await run('assistant', 'list', '--json')).stdout) as unknown[];
  expect(json[1]).toEqual({ id: 'echo', title: 'Echo', driver: 'command' });
});

test('assistant test: the bundled agent works, and is the default of the command too', async () => {
  const { stdout, stderr, code } = await run('assistant', 'test');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^Assistant "default" works\.\n {2}ok {2}\S*node is /);
  expect(stdout).toMatch(/Its answer: OK\n$/);
});

test('assistant test says what it found, and the exit code tells a script', async () => {
  const echo = JSON.parse((await run('assistant', 'test', 'echo', '--json')).stdout) as {
    findings: { what: string }[];
  };
  expect(echo).toMatchObject({ assistant_id: 'echo', works: true, answer: 'Reply with the single word OK.' });
  expect(echo.findings.map(({ what }) => what).join()).toContain('HORARIUM_TEST_NOT_SET is not set');
  const missing = await run('assistant', 'test', 'missing');
  expect(missing.code).toBe(7);
  expect(missing.stderr).toMatch(
    /"missing" does not work\.\n {2}!! {2}The program "no-such-agent" was not found on PATH/,
  );
  const login = await run('assistant', 'test', 'login');
  expect(login.stderr).toMatch(/exit code 1\): Please run \/login\n {2}!! {2}It seems not to be logged in/);
  expect((await run('assistant', 'test', 'silent')).stdout).toMatch(/!! {2}It ended well and said nothing/);
  const unknown = await run('assistant', 'test', 'nobody');
  expect(unknown).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no assistant "nobody". Known: default, echo'),
  });
});

test('a bad file stops every command with file, line, assistant and key', async () => {
  const bad = join(folder, 'bad.yaml');
  writeFileSync(bad, '\na: { comand: [x] }\n');
  const { code, stderr } = await horarium({ ...env, HORARIUM_ASSISTANTS_FILE: bad })('assistant', 'list');
  expect(code).toBe(2);
  expect(stderr).toMatch(/bad\.yaml:2: assistant "a", comand: is not known; known keys: title/);
});
