// Many agents fetch from one queue, through several processes. Each run goes to one of them.
import { DataSource } from 'typeorm';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { SqlOutsideRuns } from '../../../src/agent-run/outbound/sql-outside-runs';
import { ClaimRun } from '../../../src/agent-run/usecases/claim-run';
import { dataSourceOptions } from '../../../src/platform/persistence/data-source-options';
import { Sessions } from '../../../src/platform/persistence/sessions';
import { outsideLaunch, outsideWorld, store, type OutsideWorld } from '../../support/agents/outside-stage';

const RUNS = 60;
const PULLERS = 12;
const PROCESSES = 3;
const scope = { tenantId: 1, userId: null };

let world: OutsideWorld;
const sources: DataSource[] = [];
beforeAll(async () => {
  world = await outsideWorld();
});
afterAll(async () => {
  for (const source of sources) await source.destroy();
  await world.close();
});

async function anotherProcess(): Promise<SqlOutsideRuns> {
  const source = await new DataSource(dataSourceOptions({ url: world.database.url, poolSize: 4 })).initialize();
  sources.push(source);
  return new SqlOutsideRuns(new Sessions(source, world.bell), world.bell);
}

test('12 agents in 3 processes and 60 runs: each run has one agent, and one report counts', async () => {
  const holder = world.outside();
  const processes = await Promise.all(Array.from({ length: PROCESSES }, anotherProcess));
  const claims = processes.map((outside) => new ClaimRun(outside));
  const taken: string[] = [];
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => (done = resolve));
  const pullers = Array.from({ length: PULLERS }, async (_, number) => {
    const [outside, claim] = [processes[number % PROCESSES]!, claims[number % PROCESSES]!];
    for (;;) {
      const asked = { scope, assistantIds: ['puller'], claimedBy: `puller ${number}`, waitSeconds: 30 };
      const run = await claim.run(asked);
      if (run === null) return;
      taken.push(run.agentRunId);
      const end = bareEnd('success', null, { result: `by ${number}` });
      const reports = await Promise.all([
        outside.report(run.agentRunId, run.token, end),
        outside.report(run.agentRunId, run.token, end),
      ]);
      expect(reports.filter(Boolean)).toHaveLength(1);
      if (taken.length === RUNS) done();
    }
  });

  const assistant = assistantFrom('puller', { driver: 'pull' }, '/');
  const ends = Array.from({ length: RUNS }, async () => {
    const launch = outsideLaunch(assistant);
    await store(world, launch);
    const { agentRunId, requestId, owner } = launch;
    const times = { leaseSeconds: 60, claimTimeoutSeconds: 60, timeoutSeconds: 60 };
    await holder.offer({ agentRunId, requestId, owner, assistantId: 'puller', kind: 'pull', ...times });
    return holder.ended(agentRunId);
  });
  for (const end of await Promise.all(ends)) expect(end).toMatchObject({ status: 'success' });
  await all;
  for (const claim of claims) claim.close();
  await Promise.all(pullers);
  expect(new Set(taken).size).toBe(RUNS);
  expect(taken).toHaveLength(RUNS);
});
