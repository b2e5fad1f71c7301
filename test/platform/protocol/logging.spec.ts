import { readableLine } from '../../../src/platform/protocol/log-line';
import { createLogger } from '../../../src/platform/protocol/logging';
import { withoutSecrets } from '../../../src/platform/protocol/redaction';

describe('no secret leaves in a log line', () => {
  it.each([
    ['postgres://horarium:hunter2@db:5432/x', 'postgres://horarium:***@db:5432/x'],
    ['rediss://:hunter2@cache', 'rediss://:***@cache'],
    [
      'https://user:p%40ss@id.example.org/keys and https://b:c@d',
      'https://user:***@id.example.org/keys and https://b:***@d',
    ],
    ['key hk_Ab3-_Ab3-_Ab3-_Ab3 was', 'key hk_*** was'],
    ['got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln of', 'got eyJ*** of'],
    ['Authorization: Basic YTpiOmM6ZA==', 'Authorization: Basic ***'],
    ['authorization: bearer abcdefgh12345', 'authorization: bearer ***'],
    ['GET /x?token=abc&limit=1', 'GET /x?token=***&limit=1'],
    ['GET /oauth?state=abc&code=def', 'GET /oauth?state=***&code=***'],
  ])('%s', (line, safe) => {
    expect(withoutSecrets(line)).toBe(safe);
  });

  it.each([
    'http://127.0.0.1:3000/docs',
    'mailto:someone@example.org at 12:30',
    'the bearer of this letter',
    'see https://example.org/@someone',
    'task-0123456789abcdef0123456789abcdef',
  ])('%s stays as it is', (line) => {
    expect(withoutSecrets(line)).toBe(line);
  });

  it('by the name of a field either', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => lines.push(line) });
    logger.info({
      password: 'hunter2',
      headers: { authorization: 'hunter2', cookie: 'hunter2', 'x-api-key': 'hunter2' },
    });
    expect(lines.join()).not.toContain('hunter2');
  });
});

describe('an error in the log', () => {
  it('shows its causes, and nothing that hangs on it', () => {
    const lines: string[] = [];
    const logger = createLogger({ logLevel: 'info', logFormat: 'json' }, { write: (line) => lines.push(line) });
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (prompt)=(secret plan)' });
    logger.error({ err: new Error('not stored', { cause }) }, 'failed');
    const { err } = JSON.parse(lines[0] ?? '') as { err: { message: string; stack: string } };
    expect(err.message).toBe('not stored');
    expect(err.stack).toContain('caused by: Error: duplicate key');
    expect(lines[0]).not.toContain('secret plan');
  });
});

describe('a line for reading', () => {
  const time = new Date(2026, 10, 30, 9, 0, 5).toISOString();

  it('is one line with the same facts', () => {
    const json = JSON.stringify({
      level: 30,
      time,
      pid: 7,
      context: 'SchedulePoller',
      msg: 'claimed',
      tasks: 3,
      ids: ['a'],
    });
    expect(readableLine(json, false)).toBe('09:00:05  INFO   SchedulePoller  claimed  tasks=3 ids=["a"]\n');
  });

  it('has the stack of an error beneath it', () => {
    const json = JSON.stringify({
      level: 50,
      time,
      context: 'A',
      msg: 'failed',
      err: { message: 'x', stack: 'Error: x\n  at y' },
    });
    expect(readableLine(json, false)).toBe('09:00:05  ERROR  A  failed\n    Error: x\n      at y\n');
  });

  it('passes on what is no JSON', () => {
    expect(readableLine('plain\n', false)).toBe('plain\n');
  });

  it.each([
    ['auto', true, false],
    ['auto', false, true],
    ['json', true, true],
    ['line', false, false],
  ] as const)('with format %s and terminal %s: JSON is %s', (logFormat, isTTY, json) => {
    const lines: string[] = [];
    createLogger({ logLevel: 'info', logFormat }, { isTTY, write: (line) => lines.push(line) }).info('hello');
    expect(lines[0]?.startsWith('{')).toBe(json);
  });

  it('of Nest about its wiring is of interest to debuggers only', () => {
    const lines: string[] = [];
    const sink = { write: (line: string) => lines.push(line) };
    createLogger({ logLevel: 'info', logFormat: 'json' }, sink).info({ context: 'RouterExplorer' }, 'Mapped');
    expect(lines).toEqual([]);
    createLogger({ logLevel: 'info', logFormat: 'json' }, sink).warn({ context: 'RouterExplorer' }, 'odd');
    createLogger({ logLevel: 'debug', logFormat: 'json' }, sink).info({ context: 'RouterExplorer' }, 'Mapped');
    expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([40, 20]);
  });

  it('less severe than the level is not written', () => {
    const lines: string[] = [];
    createLogger({ logLevel: 'warn', logFormat: 'json' }, { write: (line) => lines.push(line) }).info('hello');
    expect(lines).toEqual([]);
  });
});
