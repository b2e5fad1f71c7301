// Test support. An assistants file whose agents are the test agent (agent.mjs), each behaving in its own way.
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AGENT } from './driver-bench';

export interface TestAssistant {
  /** Arguments of agent.mjs. Absent: `command` says it all. */
  readonly behaviour?: readonly string[];
  readonly [setting: string]: unknown;
}

/**
 * Writes the file and answers its path. The agents run as whom the tests run as: the sources may lie where nobody else
 * may look.
 */
export function assistantsFile(folder: string, assistants: Readonly<Record<string, TestAssistant>>): string {
  const user = process.getuid?.() === 0 ? { user: userInfo().username } : {};
  const entries = Object.entries(assistants).map(([id, { behaviour, ...settings }]) => {
    const command = behaviour === undefined ? {} : { command: [process.execPath, AGENT, ...behaviour] };
    return [id, { ...command, ...user, ...settings }];
  });
  const path = join(folder, 'assistants.yaml');
  // JSON is YAML, too.
  writeFileSync(path, JSON.stringify(Object.fromEntries(entries)));
  return path;
}
