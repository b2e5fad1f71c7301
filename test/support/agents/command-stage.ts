// Test support. The command driver on the stage of the contract suite: its agent is agent.mjs.
import { join } from 'node:path';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { appears } from './appears';
import { AGENT, driverBench, launchOf } from './driver-bench';
import { EVERYTHING, type Behaviour, type DriverStage } from './driver-stage';

export async function commandStage(): Promise<DriverStage> {
  const bench = await driverBench();
  return {
    driver: bench.driver,
    plays: EVERYTHING,
    elsewhere: () => bench.again(),
    launch: (behaviour, more, settings) => launchOf([], { ...settingsFor(behaviour), ...settings }, more),
    atWork: async ({ threadId }) => void (await appears(join(bench.threadFolder(threadId), 'ready'))),
    broken: assistantFrom('broken', { command: ['no-such-program'] }, '/'),
    close: () => bench.close(),
  };
}

function settingsFor(behaviour: Behaviour): Record<string, unknown> {
  const agent = (...words: string[]): string[] => [process.execPath, AGENT, ...words];
  const tell = (line: object): string[] => agent('print', JSON.stringify(line));
  switch (behaviour.does) {
    case 'echo':
      return { command: agent('echo') };
    case 'fail':
      return { command: agent('fail', behaviour.reason) };
    case 'wait':
      return { command: agent('wait') };
    case 'count':
      return { command: tell({ result: 'done', usage: { input_tokens: 10, output_tokens: 5 } }) };
    case 'remember':
      return { command: agent('remember'), resume: agent('remember', '{agent_session}') };
    case 'slow-down':
      return { command: tell({ rate_limited: true, retry_after_seconds: 60, error: 'Slow down.' }) };
    case 'ask':
      return { command: tell({ input_needed: true, error: 'Which branch?' }) };
    case 'refuse':
      return { command: ['/no/such/agent'] };
  }
}
