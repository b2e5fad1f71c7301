// Test support for this folder: what dependency-cruiser says of a tree of sources under the walls of the house.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runNode } from './node';
import { root } from './sources';

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** One line for each finding, `rule: from -> to`. */
export async function findings(folder: string, below: readonly string[]): Promise<string[]> {
  const output = await runNode(
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...below,
      '--config',
      join(root, '.dependency-cruiser.cjs'),
      '--output-type',
      'json',
    ],
    folder,
  );
  const result = JSON.parse(output) as { summary: { violations: Violation[] } };
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort();
}

export function wallNames(): string[] {
  const walls = createRequire(__filename)(join(root, '.dependency-cruiser.cjs')) as { forbidden: { name: string }[] };
  return walls.forbidden.map(({ name }) => name).sort();
}
