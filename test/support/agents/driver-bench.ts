// Test support. A command driver over a data folder of its own, and launches of the test agent.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assistant } from '../../../src/agent-run/domain/assistant';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { AgentFolders } from '../../../src/agent-run/outbound/command/agent-folders';
import type { Isolation } from '../../../src/agent-run/outbound/command/isolation';
import { RootedWorkingFolders } from '../../../src/agent-run/outbound/rooted-working-folders';
import { houseUsers } from '../../../src/agent-run/outbound/command/operating-user';
import { RunTraces } from '../../../src/agent-run/outbound/command/run-traces';
import { CommandDriver, type CommandDriverOptions } from '../../../src/agent-run/outbound/command-driver';
import type { Launch } from '../../../src/agent-run/ports/assistant-driver';

export const AGENT = join(__dirname, 'agent.mjs');
export const NO_ISOLATION: Isolation = { kind: 'none', user: undefined, inWords: () => 'none in this test' };

export interface DriverBench {
  readonly dataFolder: string;
  readonly driver: CommandDriver;
  /** A second driver on the same data folder, as after a restart. */
  again(): Promise<CommandDriver>;
  threadFolder(threadId: string): string;
  close(): Promise<void>;
}

export async function driverBench(
  isolation = NO_ISOLATION,
  more: Partial<CommandDriverOptions> = {},
): Promise<DriverBench> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'horarium-agents-'));
  // A temporary folder is private at first; the agents' user must get through.
  await chmod(dataFolder, 0o755);
  const folders = await AgentFolders.open(dataFolder, isolation.user);
  const driver = async (): Promise<CommandDriver> =>
    new CommandDriver({
      dataFolder,
      folders,
      traces: await RunTraces.open(join(dataFolder, 'running')),
      isolation,
      houseUsers: await houseUsers(dataFolder),
      environment: { PATH: process.env['PATH'], HOME: process.env['HOME'], TZ: 'UTC', SECRET: 'operator only' },
      workingFolders: new RootedWorkingFolders([], [dataFolder]),
      clock: { now: () => new Date('2026-12-01T08:00:00Z') },
      graceMs: 10_000,
      drainMs: 500,
      ...more,
    });
  return {
    dataFolder,
    driver: await driver(),
    again: driver,
    threadFolder: (threadId) => join(folders.threads, threadId),
    close: () => rm(dataFolder, { recursive: true, force: true }),
  };
}

let launches = 0;

/** A launch of the test agent; `settings` as in an assistants file. */
export function launchOf(
  behaviour: readonly string[],
  settings: Record<string, unknown> = {},
  more: Partial<Launch> = {},
): Launch {
  launches += 1;
  const command = [process.execPath, AGENT, ...behaviour];
  const assistant: Assistant = assistantFrom('test', { command, ...settings }, '/home/test');
  return {
    assistant,
    agentRunId: `run-${launches}`,
    requestId: `request-${launches}`,
    threadId: `thread-${launches}`,
    prompt: 'hello',
    metadata: {},
    workingFolder: null,
    owner: { tenantId: 1, userId: 'alice' },
    agentSession: null,
    said: () => undefined,
    heard: () => Promise.resolve({ output: '', errorOutput: '' }),
    ...more,
  };
}
