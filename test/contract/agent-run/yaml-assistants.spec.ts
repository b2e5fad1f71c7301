import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidAssistantsFileError } from '../../../src/agent-run/domain/errors';
import { parseAssistants, YamlAssistants } from '../../../src/agent-run/outbound/yaml-assistants';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'horarium-yaml-'));
  file = join(folder, 'assistants.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

const options = (path?: string) => ({ file: path, bundled: ['node', '/agent.mjs'] as const, home: '/home/op' });

test('without a file there is the bundled agent, as default', async () => {
  const assistants = await YamlAssistants.read({ ...options(), bundled: ['node', '/agent.mjs'] });
  expect(assistants.all().map(({ id }) => id)).toEqual(['default']);
  expect(assistants.find('default')?.driver).toMatchObject({ argv: ['node', '/agent.mjs'] });
  expect(assistants.find('other')).toBeUndefined();
});

test('one line replaces it by any program', async () => {
  await writeFile(file, 'default: { command: [claude, -p, "{prompt}"] }\n');
  const assistants = await YamlAssistants.read({ ...options(file), bundled: ['node', '/agent.mjs'] });
  expect(assistants.find('default')?.driver).toMatchObject({ argv: ['claude', '-p', '{prompt}'], prompt: 'argument' });
});

test('an empty file changes nothing; anchors and merges are understood', () => {
  expect(parseAssistants('# nothing yet\n', 'f', '/')).toEqual([]);
  const [, second] = parseAssistants('a: &a { command: [x], title: A }\nb: *a\n', 'f', '/');
  expect(second).toMatchObject({ id: 'b', title: 'A' });
});

test('every problem is named: file, line, assistant, key', () => {
  const text = [
    'good: { command: [x] }',
    'bad:',
    '  command: [x]',
    '  timeout_seconds: soon',
    'worse: claude',
    'worst: {}',
  ].join('\n');
  let problems: readonly string[] = [];
  try {
    parseAssistants(text, '/etc/assistants.yaml', '/');
  } catch (error) {
    problems = (error as InvalidAssistantsFileError).problems;
  }
  expect(problems).toEqual([
    '/etc/assistants.yaml:4: assistant "bad", timeout_seconds: must be a whole number from 1 to 604800',
    '/etc/assistants.yaml:5: assistant "worse", settings: must be a mapping, such as { command: [my-agent] }',
    expect.stringMatching(/^\/etc\/assistants\.yaml:6: assistant "worst", command: must be a list/),
  ]);
});

test.each([
  ['a: [', /f:1: /],
  ['a: { command: [x] }\na: { command: [y] }', /f:2: Map keys must be unique/],
  ['- command: [x]', /f:1: must be a mapping from assistant ids/],
  ['a: { command: [x, {prompt}] }', /f:1: assistant "a", command: .*quotes around/],
])('%j is refused with its line', (text, message) => {
  expect(() => parseAssistants(text, 'f', '/')).toThrow(message);
});

test('a file that is not there', async () => {
  await expect(YamlAssistants.read(options(join(folder, 'none.yaml')))).rejects.toThrow(/none\.yaml: cannot be read/);
});

test('read again: a good file is taken, a bad one leaves the settings as they were', async () => {
  await writeFile(file, 'a: { command: [one] }\n');
  const assistants = await YamlAssistants.read(options(file));
  await writeFile(file, 'a: { command: [two] }\n');
  await assistants.reload();
  expect(assistants.find('a')?.driver).toMatchObject({ argv: ['two'] });
  await writeFile(file, 'a: { comand: [three] }\n');
  await expect(assistants.reload()).rejects.toThrow(/assistants\.yaml:1: assistant "a", comand: is not known/);
  expect(assistants.find('a')?.driver).toMatchObject({ argv: ['two'] });
});

test('the example file can be used as it is', async () => {
  const example = join(__dirname, '..', '..', '..', 'examples', 'assistants.yaml');
  const assistants = await YamlAssistants.read({ ...options(example), bundled: ['node', '/agent.mjs'] });
  expect(assistants.all().map(({ id }) => id)).toEqual(['default', 'claude', 'codex', 'gemini']);
});
