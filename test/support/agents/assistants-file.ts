// Test support. An assistants file whose agents are the test agent (agent.mjs), each behaving in its own way.
import { chmodSync, copyFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AGENT } from './driver-bench';

export interface TestAssistant {
  /** Arguments of agent.mjs. Absent: `command` says it all. */
  readonly behaviour?: readonly string[];
  readonly [setting: string]: unknown;
}

/** Writes the file and answers its path. `folder` must lie where everybody may pass, and is opened to them. */
export function assistantsFile(folder: string, assistants: Readonly<Record<string, TestAssistant>>): string {
  chmodSync(folder, 0o755);
  const [node, agent] = [reachable(process.execPath, folder), reachable(AGENT, folder)];
  const entries = Object.entries(assistants).map(([id, { behaviour, ...settings }]) => {
    const command = behaviour === undefined ? {} : { command: [node, agent, ...behaviour] };
    return [id, { ...command, ...settings }];
  });
  const path = join(folder, 'assistants.yaml');
  // JSON is YAML, too.
  writeFileSync(path, JSON.stringify(Object.fromEntries(entries)));
  return path;
}

/** Under root the agents are somebody else, who may not enter every folder that a checkout or Node can lie in. */
function reachable(file: string, folder: string): string {
  let open = true;
  for (let above = dirname(file); open && above !== dirname(above); above = dirname(above)) {
    open = (statSync(above).mode & 0o001) !== 0;
  }
  if (open) return file;
  const copy = join(folder, basename(file));
  copyFileSync(file, copy);
  chmodSync(copy, 0o755);
  return copy;
}
