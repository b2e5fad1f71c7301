import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { DOORS, runCli } from '../../../src/cli';
import { ApiClient } from '../../../src/platform/cli/api-client';
import { version } from '../../../src/platform/version';
import { horarium } from '../../support/cli';
import { json, type SmallServer, smallServer } from './small-server';

let server: SmallServer;
let dataDir: string;
const problem = (status: number, more: object = {}) => ({ status, code: 'test.refusal', detail: 'not so', ...more });

beforeAll(async () => {
  server = await smallServer();
  dataDir = mkdtempSync(join(tmpdir(), 'horarium-cli-'));
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => {
  server.asked.length = 0;
  server.answer = (_, response) => json(response, 200, []);
});

const here = () => ({ HORARIUM_URL: server.url, HORARIUM_DATA_DIR: dataDir });
const cli = (...argv: string[]) => horarium({ ...here(), HORARIUM_TOKEN: 'tok.en' })(...argv);

describe('help', () => {
  it('names every command there is', async () => {
    const { stdout, stderr, code } = await cli('--help');
    expect([stderr, code]).toEqual(['', 0]);
    for (const name of ['task', 'runs', 'run', 'cron', 'timetable', 'doctor', 'tenant', 'token', 'api-key']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    }
    expect((await cli()).stdout).toBe(stdout);
  });

  it('says of each command what the command says of itself', () => {
    const found = DOORS.flatMap((door) => {
      const providers = Reflect.getMetadata('providers', door.load()) as Type[];
      return providers.flatMap((provider) => {
        const meta = Reflect.getMetadata('CommandBuilder:Command:Meta', provider) as
          { name: string; description: string } | undefined;
        return meta === undefined ? [] : [[meta.name, meta.description]];
      });
    });
    expect(Object.fromEntries(found)).toEqual(Object.assign({}, ...DOORS.map(({ commands }) => commands)));
  });

  it.each([['task'], ['help', 'task'], ['task', '--help']])('%s %s shows what it holds', async (...argv) => {
    const { stdout, code } = await cli(...argv);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: horarium task[^]+ add \[options\] <prompt>[^]+ delete \[options\] <id>/);
  });

  it('shows the version', async () => {
    expect(await cli('--version')).toEqual({ stdout: `${version()}\n`, stderr: '', code: 0 });
  });
});

describe('the program itself', () => {
  it('names itself in hints as this person called it', async () => {
    const said: string[] = [];
    const terminal = { out: () => undefined, err: (text: string) => said.push(text), exitCode: () => undefined };
    await runCli(['tsk'], { env: here(), terminal, program: 'npx horarium' });
    expect(said.join('')).toContain('\nhint: npx horarium --help\n');
  });

  it('says in words that it has not been built', () => {
    const folder = join(dataDir, 'unbuilt', 'bin');
    mkdirSync(folder, { recursive: true });
    const program = join(folder, 'horarium.js');
    copyFileSync(join(__dirname, '../../../bin/horarium.js'), program);
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'runs'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([9, '']);
    expect(stderr).toBe('error: Horarium has not been built yet.\nhint: npm ci, or npm run build\n');
  });
});

describe('what cannot be understood ends with 2, says what would be right, and asks nobody', () => {
  it.each([
    [['tsk'], "error: unknown command 'tsk' (Did you mean task?)\nhint: horarium --help\n"],
    [['--jsn'], "error: unknown option '--jsn'\nhint: horarium --help\n"],
    [
      ['task', 'lst'],
      /^error: horarium task knows no "lst"; it knows add, list, [^\n]+\nhint: horarium task --help\n$/,
    ],
    [['task', 'lst', '--json'], /"detail":"horarium task knows no \\"lst\\"; it knows add/],
    [
      ['task', 'list', '--limt', '3'],
      /^error: unknown option '--limt' \(Did you mean --limit\?\)\nhint: horarium task list/,
    ],
    [['task', 'list', 'all'], /^error: too many arguments for 'list'/],
    [['task', 'show'], "error: missing required argument 'id'\nhint: horarium task show --help\n"],
    [['task', 'list', '--limit', '0'], 'error: --limit takes a whole number from 1.\n'],
    [['task', 'add', 'hi'], 'error: When? Give --cron, --in or --at.\nhint: horarium task add --help\n'],
    [['task', 'add', 'hi', '--in', '10'], /^error: --in takes a length of time/],
    [['task', 'add', 'hi', '--in', '1m', '--at', '2027-01-01'], 'error: --cron, --in and --at exclude each other.\n'],
    [['task', 'edit', 'task-1'], /^error: Nothing to change/],
    [['task', 'edit', 'x', '--thread', 'y', '--fresh-thread'], /exclude each other/],
    [['runs', '--since', 'yesterday'], /^error: --since: "yesterday" is not a moment/],
    [['cron', 'next', '* * * * *', '--count', 'many'], /^error: --count takes/],
  ])('%j', async (argv, words) => {
    const { stdout, stderr, code } = await cli(...argv);
    expect([stdout, code]).toEqual(['', 2]);
    expect(stderr).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
    expect(server.asked).toEqual([]);
  });

  it('a wrong setting', async () => {
    const { stderr, code } = await horarium({ HORARIUM_URL: 'localhost:3000' })('task', 'list');
    expect([stderr.split('\n')[1]?.trim().split(':')[0], code]).toEqual(['HORARIUM_URL', 2]);
  });

  it('a misspelt setting is warned about', async () => {
    const { stderr, code } = await horarium({ ...here(), HORARIUM_TOKN: 'x' })('task', 'list', '--json');
    expect([stderr, code]).toEqual(['warning: HORARIUM_TOKN is not a setting; did you mean HORARIUM_TOKEN?\n', 0]);
  });
});

describe('the token', () => {
  const asked = async (env: Record<string, string>) => {
    await horarium({ ...here(), ...env })('task', 'list');
    return server.asked[0]?.token;
  };

  it('comes from HORARIUM_TOKEN, else from the data folder', async () => {
    expect(await asked({})).toBeUndefined();
    server.asked.length = 0;
    writeFileSync(join(dataDir, 'operator-token'), 'from.the.file\n');
    expect(await asked({})).toBe('Bearer from.the.file');
    server.asked.length = 0;
    expect(await asked({ HORARIUM_TOKEN: 'my-own' })).toBe('Bearer my-own');
  });

  it('that is missing or wrong ends with 3 and how to get one', async () => {
    server.answer = (_, response) => json(response, 401, problem(401, { code: 'auth.not-signed-in' }));
    const nowhere = { HORARIUM_URL: server.url, HORARIUM_DATA_DIR: join(dataDir, 'none') };
    const { stderr, code } = await horarium(nowhere)('task', 'list');
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^error: not so\nhint: no token was sent: HORARIUM_TOKEN is not set, and .+ is not there\. set/,
    );
    const wrong = await cli('task', 'list');
    expect([wrong.stderr.includes('tok.en'), wrong.code]).toEqual([false, 3]);
  });
});

describe('a refusal of the server', () => {
  it.each([
    [400, 2],
    [401, 3],
    [403, 6],
    [404, 4],
    [409, 5],
    [413, 2],
    [422, 2],
    [429, 8],
    [500, 70],
    [502, 7],
    [503, 9],
  ])('%i ends with %i, and with --json is the problem document itself', async (status, code) => {
    const body = problem(status, { request_id: 'r-1', errors: [{ field: 'a', message: 'a is wrong' }] });
    server.answer = (_, response) => json(response, status, body);
    const said = await cli('task', 'list', '--json');
    expect([said.stdout, said.code]).toEqual(['', code]);
    expect(JSON.parse(said.stderr)).toEqual(body);
    expect((await cli('task', 'list')).stderr).toMatch(/^error: not so\n {2}a is wrong\n/);
  });
});

describe('a server that is not there', () => {
  it('is told apart from one that refuses', async () => {
    const { stderr, code } = await horarium({ ...here(), HORARIUM_URL: 'http://127.0.0.1:1' })('task', 'list');
    expect(code).toBe(9);
    expect(stderr).toBe(
      'error: No Horarium server answers at http://127.0.0.1:1; start one with `npm start`, or set HORARIUM_URL.\n',
    );
  });

  it('is given up after a time, with a warning where something may have been done', async () => {
    server.answer = () => undefined;
    const client = new ApiClient({ url: server.url }, 20);
    await expect(client.get('/api/scheduled-tasks')).rejects.toThrow(`${server.url} did not answer within 0.02 s.`);
    await expect(client.post('/api/scheduled-tasks/x/trigger')).rejects.toThrow('may have been done all the same');
  });

  it('doctor says so, and ends with 9', async () => {
    const { stdout, code } = await horarium({ ...here(), HORARIUM_URL: 'http://127.0.0.1:1' })('doctor');
    expect(code).toBe(9);
    expect(stdout).toMatch(/^server +fail +No Horarium server answers/m);
  });

  it('is not taken for one that speaks otherwise', async () => {
    server.answer = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello');
    const { stderr, code } = await cli('task', 'list');
    expect([code, stderr]).toEqual([7, expect.stringContaining('is that a Horarium server?')]);
    server.answer = (_, response) => void response.writeHead(301, { location: 'https://elsewhere.example' }).end();
    expect((await cli('task', 'pause', 'x')).stderr).toContain('sends us to https://elsewhere.example');
  });
});

describe('lists', () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `task-run-${from + index}`, status: 'success' }));

  it('go over as many pages as were asked for', async () => {
    server.answer = ({ url = '' }, response) => {
      const query = new URL(url, server.url).searchParams;
      const from = Number(query.get('cursor') ?? 0);
      const count = Math.min(Number(query.get('limit')), 450 - from);
      json(response, 200, page(from, count), from + count < 450 ? { 'X-Next-Cursor': String(from + count) } : {});
    };
    const ids = async (...argv: string[]) => JSON.parse((await cli('runs', '--json', ...argv)).stdout) as unknown[];
    expect(await ids('--all')).toHaveLength(450);
    expect(await ids('--limit', '250')).toHaveLength(250);
    expect(await ids()).toHaveLength(50);
  });

  it('hand their filters on', async () => {
    await cli(
      'task',
      'list',
      '--status',
      'paused',
      '--type',
      'cron',
      '--assistant',
      'a b',
      '--search',
      'x&y',
      '--json',
    );
    await cli(
      'runs',
      '--status',
      'failed',
      '--trigger',
      'manual',
      '--task',
      't',
      '--since',
      '2026-11-30T20:00Z',
      '--json',
    );
    expect(server.asked.map(({ url }) => decodeURIComponent(url.replaceAll('+', ' ')))).toEqual([
      '/api/scheduled-tasks?status=paused&schedule_type=cron&assistant_id=a b&q=x&y&limit=50',
      '/api/scheduled-task-runs?since=2026-11-30T20:00:00+00:00&status=failed&trigger=manual&task_id=t&limit=50',
    ]);
  });

  it('a moment without an offset is on the wall clock of the person who asks', async () => {
    const berlin = horarium({ ...here(), HORARIUM_DEFAULT_TIMEZONE: 'Europe/Berlin' });
    await berlin('runs', '--since', '2026-07-01T20:00', '--json');
    expect(server.asked[0]?.url).toContain(encodeURIComponent('2026-07-01T18:00:00+00:00'));
  });
});
