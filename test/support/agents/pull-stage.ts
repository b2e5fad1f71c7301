// Test support. The pull driver on the stage of the contract suite: an agent that fetches its work, on real PostgreSQL.
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import type { ClaimedRun } from '../../../src/agent-run/domain/outside-run';
import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { toldBy } from '../../../src/agent-run/domain/told-result';
import { PullDriver } from '../../../src/agent-run/outbound/pull-driver';
import { ClaimRun } from '../../../src/agent-run/usecases/claim-run';
import { EVERYTHING, type DriverStage } from './driver-stage';
import { OutsideAgent, outsideLaunch, outsideWorld, storing } from './outside-stage';

const NOW = new Date('2026-12-01T08:00:00Z');

export async function pullStage(): Promise<DriverStage> {
  const world = await outsideWorld();
  const agent = new OutsideAgent();
  const outside = world.outside();
  const claims = new ClaimRun(outside);
  const asking = new Set<Promise<void>>();
  let open = true;

  const work = async ({ agentRunId, token, requestId, prompt, agentSession }: ClaimedRun): Promise<void> => {
    const answer = agent.answer(requestId, prompt, agentSession);
    if (answer === null) {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (!open) return;
          const asked = outside
            .renew(agentRunId, token)
            .then((renewal) => void (renewal?.cancelled === null || resolve()))
            .finally(() => asking.delete(asked));
          asking.add(asked);
        };
        void world.bell.listen('outside-run-ended', look).then(look);
      });
    }
    const told = toldBy(answer ?? { result: 'stopped' }, NOW);
    await outside.report(
      agentRunId,
      token,
      bareEnd(told?.error ? 'error' : 'success', told?.error ?? null, told ?? {}),
    );
  };
  const pulling = (async () => {
    while (open) {
      const scope = { tenantId: 1, userId: null };
      const run = await claims.run({ scope, assistantIds: ['puller'], claimedBy: 'test', waitSeconds: 30 });
      if (run !== null) void work(run).catch((error: unknown) => (open ? Promise.reject(error as Error) : undefined));
    }
  })();

  return {
    driver: storing(world, new PullDriver(outside)),
    plays: new Set([...EVERYTHING].filter((name) => name !== 'refuse')),
    elsewhere: () => Promise.resolve(new PullDriver(world.outside())),
    launch: (behaviour, more, settings) => {
      const assistant = assistantFrom('puller', { driver: 'pull', ...settings }, '/');
      const launch = outsideLaunch(assistant, more);
      agent.behave(launch.requestId, behaviour);
      return launch;
    },
    atWork: ({ requestId }) => agent.atWork(requestId),
    broken: null,
    close: async () => {
      open = false;
      claims.close();
      await pulling;
      await Promise.all(asking);
      await world.close();
    },
  };
}
