import { settingsOf } from '../../../src/agent-run/domain/assistant';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { isForMachine } from '../../../src/agent-run/domain/driver-settings/pull-settings';
import { InvalidAssistantError } from '../../../src/agent-run/domain/errors';

const from = (settings: unknown) => assistantFrom('a', settings, '/home/op');

function refusal(settings: unknown): string {
  try {
    from(settings);
  } catch (error) {
    if (error instanceof InvalidAssistantError) return error.message;
  }
  throw new Error('was not refused');
}

test('a command alone is enough', () => {
  expect(from({ command: ['claude', '-p', '{prompt}'] })).toEqual({
    id: 'a',
    title: 'a',
    allowedRoots: [],
    concurrency: null,
    timeoutSeconds: 3600,
    driver: {
      kind: 'command',
      argv: ['claude', '-p', '{prompt}'],
      prompt: 'argument',
      resume: null,
      result: 'auto',
      env: [],
      cwd: null,
      writable: [],
      user: null,
      outputLimitBytes: 1_048_576,
      nice: null,
      memoryLimitBytes: null,
    },
  });
});

test('without a place for the prompt it goes to standard input', () => {
  expect(from({ command: ['codex', 'exec', '-'] }).driver).toMatchObject({ prompt: 'stdin' });
});

test('everything said', () => {
  const assistant = from({
    title: 'Reviewer',
    driver: 'command',
    command: ['/opt/agent', 5, true],
    prompt: 'stdin',
    env: ['API_KEY', 'MODE=x=y', 'EMPTY='],
    cwd: '~/work',
    roots: ['/srv/repos', '~'],
    writable: ['~/.agent'],
    concurrency: 2,
    timeout_seconds: 60,
    user: 'agents',
    output_limit_bytes: 2048,
  });
  expect(assistant).toMatchObject({
    title: 'Reviewer',
    allowedRoots: ['/srv/repos', '/home/op'],
    concurrency: 2,
    timeoutSeconds: 60,
    driver: {
      argv: ['/opt/agent', '5', 'true'],
      env: [
        { name: 'API_KEY', value: null },
        { name: 'MODE', value: 'x=y' },
        { name: 'EMPTY', value: '' },
      ],
      cwd: '/home/op/work',
      writable: ['/home/op/.agent'],
      user: 'agents',
      outputLimitBytes: 2048,
    },
  });
});

test.each<[unknown, RegExp]>([
  [null, /must be a mapping/],
  ['claude', /must be a mapping/],
  [{}, /command: must be a list: the program, then its arguments/],
  [{ command: 'claude -p' }, /command: must be a list/],
  [{ command: [] }, /the program, then its arguments/],
  [{ command: [{ prompt: null }] }, /put quotes around "\{prompt\}"/],
  [{ command: ['./agent'] }, /"\.\/agent" is a relative path/],
  [{ command: ['{prompt}'] }, /cannot stand for the program/],
  [{ command: ['a', '{prompt}', '{prompt}'] }, /in one argument only/],
  [{ command: ['a', '{prompt}'], prompt: 'stdin' }, /exclude each other/],
  [{ command: ['a'], prompt: 'argument' }, /needs \{prompt\} in the command/],
  [{ command: ['a'], prompt: 'pipe' }, /prompt: must be one of: stdin, argument/],
  [{ command: ['a'], driver: 'teleport' }, /driver: must be one of: command/],
  [{ command: ['a'], env: ['NOT-A-NAME'] }, /neither NAME .* nor NAME=value/],
  [{ command: ['a'], env: ['DATABASE_URL'] }, /never handed to an agent/],
  [{ command: ['a'], env: ['HORARIUM_JWT_SECRET'] }, /never handed to an agent/],
  [{ command: ['a'], cwd: 'work' }, /cwd: "work" must be a full path/],
  [{ command: ['a'], concurrency: 0 }, /concurrency: must be a whole number from 1/],
  [{ command: ['a'], timeout_seconds: '60' }, /timeout_seconds: must be a whole number/],
  [{ command: ['a'], timeout_seconds: 604_801 }, /from 1 to 604800/],
  [{ command: ['a'], timeoutSeconds: 60 }, /timeoutSeconds: is not known; known keys: .*timeout_seconds/],
  [{ command: ['a\0'] }, /NUL/],
  [{ command: ['a'], title: ' ' }, /title: must be a text/],
])('%j is refused by key', (settings, message) => {
  expect(refusal(settings)).toMatch(/^assistant "a", /);
  expect(refusal(settings)).toMatch(message);
});

test.each(['', '../a', 'a b', '.a', 'x'.repeat(65)])('the id %j is refused', (id) => {
  expect(() => assistantFrom(id, { command: ['a'] }, '/')).toThrow(/letters, digits/);
});

test('a conversation has a second command, with a place for what the agent calls it', () => {
  const command = ['claude', '-p', '{prompt}'];
  const resume = ['claude', '-p', '{prompt}', '--resume', '{agent_session}'];
  expect(from({ command, resume }).driver).toMatchObject({ resume: { argv: resume, prompt: 'argument' } });
  expect(refusal({ command: resume })).toMatch('it belongs into "resume"');
  expect(refusal({ command, resume: ['./claude'] })).toMatch('resume: "./claude" is a relative path');
});

test('a web service has an address and the name of a secret, never the secret itself', () => {
  const good = { driver: 'http', url: 'https://agent.example/runs', secret: 'AGENT_SECRET' };
  expect(from(good).driver).toEqual({ kind: 'http', url: good.url, secret: 'AGENT_SECRET', answerSeconds: 30 });
  expect(refusal({ ...good, url: 'ftp://agent.example' })).toMatch('url: must be the address');
  expect(refusal({ ...good, url: 'https://me:pass@agent.example' })).toMatch('url: must be the address');
  expect(refusal({ ...good, secret: 'whsec_c2VjcmV0+' })).toMatch('not the secret itself');
  expect(refusal({ ...good, secret: 'HORARIUM_JWT_SECRET' })).toMatch('is a secret of Horarium itself');
  expect(refusal({ ...good, command: ['x'] })).toMatch('command: is not known; known keys: title, driver');
});

test('a graph on a LangGraph server, without anything secret in the file', () => {
  const good = { driver: 'langgraph', url: 'https://graphs.example/', graph: 'agent' };
  expect(from(good).driver).toEqual({
    kind: 'langgraph',
    url: 'https://graphs.example',
    graph: 'agent',
    apiKey: null,
    recursionLimit: null,
    answerSeconds: 30,
  });
  expect(from({ ...good, api_key: 'GRAPH_KEY', recursion_limit: 50 }).driver).toMatchObject({
    apiKey: 'GRAPH_KEY',
    recursionLimit: 50,
  });
  expect(refusal({ ...good, url: 'graphs.example' })).toMatch('url: must be the address of a LangGraph server');
  expect(refusal({ ...good, graph: undefined })).toMatch('graph: must be the name of a graph');
  expect(refusal({ ...good, api_key: 'lsv2_pt-secret' })).toMatch('not the secret itself');
  expect(refusal({ ...good, recursion_limit: 0 })).toMatch('recursion_limit');
});

test('agents that fetch their work need nothing but a name', () => {
  const usual = { kind: 'pull', leaseSeconds: 60, claimTimeoutSeconds: 3600, labels: null };
  expect(from({ driver: 'pull' }).driver).toEqual(usual);
  expect(refusal({ driver: 'pull', lease_seconds: 1 })).toMatch('lease_seconds: must be a whole number from 5');
});

test('labels make them enrolled machines, those that have all of them', () => {
  const bound = (labels: unknown) => settingsOf(from({ driver: 'pull', labels }), 'pull');
  expect(bound(['site:lisbon', 'linux', 'linux']).labels).toEqual(['linux', 'site:lisbon']);
  expect(refusal({ driver: 'pull', labels: ['Linux'] })).toMatch(/labels: "Linux" is none/);
  expect(refusal({ driver: 'pull', labels: 'linux' })).toMatch('labels: must be a list');
  const machines = [[], ['linux'], ['linux', 'site:lisbon', 'gpu']];
  const allowed = (labels: unknown) => machines.map((of) => isForMachine(bound(labels), of));
  expect(allowed(['linux', 'site:lisbon'])).toEqual([false, false, true]);
  expect(allowed([])).toEqual([true, true, true]);
  expect(allowed(null)).toEqual([false, false, false]);
});
