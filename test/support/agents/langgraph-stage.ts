// Test support. The langgraph driver on the stage of the contract suite: a graph on a real LangGraph server.
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { LangGraphDriver } from '../../../src/agent-run/outbound/langgraph-driver';
import type { OutsideRuns } from '../../../src/agent-run/ports/outside-runs';
import { allowedDestinations } from '../../../src/platform/http/allowed-destinations';
import { OutboundHttp } from '../../../src/platform/http/outbound-http';
import type { Behaviour, DriverStage } from './driver-stage';
import { LangGraphServer } from './langgraph/langgraph-server';
import { outsideLaunch, outsideWorld, storing } from './outside-stage';

export const GRAPH_KEY = 'a key';

export function langGraphDriver(outside: OutsideRuns): LangGraphDriver {
  return new LangGraphDriver({
    http: new OutboundHttp(allowedDestinations('127.0.0.1')),
    outside,
    clock: { now: () => new Date() },
    environment: { GRAPH_KEY },
    retryAfterMs: [],
    lookMs: 100,
    missedLooks: 3,
  });
}

/** The metadata that has the agent of the tests behave so. */
export function play(behaviour: Behaviour | { readonly does: 'blocks' }): Record<string, string> {
  return { play: JSON.stringify(behaviour) };
}

export async function langGraphStage(): Promise<DriverStage> {
  const [world, server] = await Promise.all([outsideWorld(), LangGraphServer.start()]);
  const settings = { driver: 'langgraph', url: server.url, graph: 'agent' };
  const drivers: LangGraphDriver[] = [];
  const driver = (): LangGraphDriver => {
    const one = langGraphDriver(world.outside());
    drivers.push(one);
    return one;
  };
  return {
    driver: storing(world, driver()),
    plays: new Set(['echo', 'fail', 'wait', 'count', 'remember', 'ask', 'refuse']),
    elsewhere: () => Promise.resolve(driver()),
    launch: (behaviour, more, more_settings) => {
      const graph = behaviour.does === 'refuse' ? 'no-such-graph' : 'agent';
      const assistant = assistantFrom('graph', { ...settings, graph, ...more_settings }, '/');
      return outsideLaunch(assistant, { metadata: play(behaviour), ...more });
    },
    atWork: async ({ requestId }) => void (await server.atWork(requestId)),
    broken: assistantFrom('broken', { ...settings, graph: 'no-such-graph' }, '/'),
    close: async () => {
      for (const one of drivers) await one.stop();
      await world.close();
      await server.close();
    },
  };
}
