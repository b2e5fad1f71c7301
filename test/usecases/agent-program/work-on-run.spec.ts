import { ServerAwayError, ServerRefusesError } from '../../../src/agent-program/domain/errors';
import type { KeptIdentity } from '../../../src/agent-program/domain/identity';
import { failedReport, fitted, type FetchedRun, type RunReport } from '../../../src/agent-program/domain/work';
import { WorkOnRun } from '../../../src/agent-program/usecases/work-on-run';

const RUN: FetchedRun = {
  runId: 'run',
  token: 'hrt_run',
  requestId: 'request',
  assistantId: 'build',
  tenantId: 1,
  userId: 'alice',
  threadId: 'thread',
  prompt: 'hello',
  metadata: {},
  workingFolder: null,
  agentSession: null,
  leaseSeconds: 15,
  reportLimitBytes: 100_000,
};
const GOOD: RunReport = {
  ...failedReport(''),
  status: 'success',
  error: null,
  output: { text: 'done', droppedBytes: 0 },
};
const away = (): Error => new ServerAwayError('https://h', new Error('ECONNREFUSED'));
const gone = (): Error => new ServerRefusesError(409, 'agent-run.run-not-held', 'No.');

/** A program that ends when it is told to, or after so many waits; a server that answers in turn; time that waits make. */
function stage(script: {
  renewals?: (Error | string | null)[];
  reports?: (Error | null)[];
  worksFor?: number;
  start?: Error;
}) {
  let time = 0;
  const happened: string[] = [];
  let finish: (report: RunReport) => void = () => undefined;
  const ended = new Promise<RunReport>((resolve) => (finish = resolve));
  const { renewals = [], reports = [] } = script;
  const answer = (what: string, said: Error | string | null | undefined): Promise<string | null> => {
    happened.push(what);
    return said instanceof Error ? Promise.reject(said) : Promise.resolve(said ?? null);
  };
  const work = new WorkOnRun(
    {
      fetch: () => Promise.resolve(null),
      renew: async () => ({ leaseSeconds: 15, cancelled: await answer(`renewed at ${time}`, renewals.shift()) }),
      complete: async (_, run, report) => {
        const words = report.error ?? report.output.text;
        await answer(`told ${run.runId} ${report.status}: ${words}`, reports.shift());
      },
    },
    {
      all: () => [],
      start: () => (script.start === undefined ? Promise.resolve({ ended }) : Promise.reject(script.start)),
      end: (_, reason) => {
        happened.push(`ended: ${reason}`);
        finish({ ...failedReport(reason), status: 'interrupted' });
        return Promise.resolve();
      },
      forget: () => Promise.resolve(void happened.push('forgot')),
      endLeftBehind: () => Promise.resolve(),
    },
    {
      wait: async (seconds) => {
        time += seconds;
        if (script.worksFor !== undefined && time >= script.worksFor) finish(GOOD);
        await new Promise((resolve) => setImmediate(resolve));
      },
      chance: () => 0.5,
      say: () => undefined,
      seconds: () => time,
    },
  );
  const hurry = new AbortController();
  return { run: () => work.run(RUN, () => Promise.resolve({} as KeptIdentity), hurry.signal), happened, hurry };
}

it('keeps its run by signs of life, and reports its end', async () => {
  const { run, happened } = stage({ worksFor: 15 });
  await run();
  expect(happened).toEqual(['renewed at 5', 'renewed at 10', 'told run success: done', 'forgot']);
});

it('ends the program when somebody wants the run to end, and reports that', async () => {
  const { run, happened } = stage({ renewals: [null, 'Cancelled by alice.'] });
  await run();
  expect(happened.slice(-3)).toEqual([
    'ended: Cancelled by alice.',
    'told run interrupted: Cancelled by alice.',
    'forgot',
  ]);
});

it('ends the program, and says nothing, when the run is somebody else’s', async () => {
  const { run, happened } = stage({ renewals: [gone()] });
  await run();
  expect(happened).toEqual(['renewed at 5', expect.stringMatching(/^ended: The server has not/), 'forgot']);
});

it('ends the program when nobody has heard of it for a whole lease, and not before', async () => {
  const { run, happened } = stage({ renewals: [null, away(), away(), away(), away()] });
  await run();
  expect(happened.slice(0, 4)).toEqual(['renewed at 5', 'renewed at 10', 'renewed at 15', 'renewed at 20']);
  expect(happened.slice(4)).toEqual([expect.stringMatching(/^ended/), 'forgot']);
});

it('goes on when the server comes back within the lease', async () => {
  const { run, happened } = stage({ renewals: [away(), away(), null], worksFor: 20 });
  await run();
  expect(happened.at(-2)).toBe('told run success: done');
});

it('tells of a program that could not be started', async () => {
  const { run, happened } = stage({ start: new Error('There is no program "x".') });
  await run();
  expect(happened).toEqual(['told run error: There is no program "x".', 'forgot']);
});

it('reports again while the server is away, and not what is refused', async () => {
  const { run, happened } = stage({ worksFor: 5, reports: [away(), away(), null] });
  await run();
  expect(happened.filter((what) => what.startsWith('told'))).toHaveLength(3);
  const refused = stage({ worksFor: 5, reports: [gone(), null] });
  await refused.run();
  expect(refused.happened.filter((what) => what.startsWith('told'))).toHaveLength(1);
});

it('ends the program at once when the machine is in a hurry', async () => {
  const { run, happened, hurry } = stage({});
  hurry.abort();
  await run();
  expect(happened).toEqual([
    'ended: The machine that worked on it was stopped.',
    expect.stringMatching(/^told run interrupted/),
    'forgot',
  ]);
});

describe('a report', () => {
  const big = (text: string): RunReport => ({
    ...GOOD,
    output: { text, droppedBytes: 3 },
    errorOutput: { text, droppedBytes: 0 },
  });
  const size = (report: RunReport): number => Buffer.byteLength(JSON.stringify(report));

  it('stays as it is while the server takes it', () => {
    expect(fitted(big('é'.repeat(1_000)), 100_000)).toEqual(big('é'.repeat(1_000)));
  });

  it.each(['x', '\u0001', 'é', '😀', '"'])(
    'of many %j is cut to what the server takes, and says how much is missing',
    (sign) => {
      const report = { ...big(sign.repeat(200_000)), result: sign.repeat(200_000) };
      const cut = fitted(report, 100_000);
      expect(size(cut)).toBeLessThanOrEqual(100_000);
      expect(size(cut)).toBeGreaterThan(70_000);
      const whole = Buffer.byteLength(sign.repeat(200_000));
      expect(cut.output.droppedBytes).toBe(3 + whole - Buffer.byteLength(cut.output.text));
      expect(cut.result).toMatch(/^(.)\1*$/su);
      expect(cut.output.text).not.toMatch(/\p{Surrogate}/u);
    },
  );

  it('holds nothing that cannot be stored', () => {
    const { output } = fitted(big('a\0b\ud800c'), 100_000);
    expect(output.text).toBe('a\uFFFDb\uFFFDc');
  });
});
