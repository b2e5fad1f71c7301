// Outbound, command driver. What a program may use of the machine, through two small programs that go before it: `nice`, and
// `prlimit` where there is one (Linux). They become the program, so nothing stands between it and the house.
import type { CommandSettings } from '../../domain/driver-settings/command-settings';
import { findProgram } from './program';

/** The words that go before the program. A limit that this machine cannot set is left out; `unmet` names it. */
export async function limitWords(settings: CommandSettings, path: string): Promise<string[]> {
  const found = await Promise.all(
    wanted(settings).map(async ({ words }) => ({ words, file: await tool(words[0], path) })),
  );
  return found.flatMap(({ words, file }) => (file === undefined ? [] : [file, ...words.slice(1)]));
}

/** For the operator: which limits are written down and cannot be set here. */
export async function unmetLimits(settings: CommandSettings, path: string): Promise<string[]> {
  const found = await Promise.all(
    wanted(settings).map(async ({ key, words }) => ({ key, words, file: await tool(words[0], path) })),
  );
  return found.flatMap(({ key, words, file }) =>
    file === undefined ? [`${key} has no effect: this machine has no program "${words[0]}".`] : [],
  );
}

interface Limit {
  readonly key: string;
  readonly words: readonly [string, ...string[]];
}

/**
 * Memory is what the program writes to (RLIMIT_DATA), for each of its processes: a limit of the address space would stop
 * Node and the like, which reserve far more than they use.
 */
function wanted({ nice, memoryLimitBytes }: CommandSettings): Limit[] {
  return [
    ...(nice === null ? [] : [{ key: 'nice', words: ['nice', '-n', String(nice)] } as const]),
    ...(memoryLimitBytes === null
      ? []
      : [{ key: 'memory_limit_mb', words: ['prlimit', `--data=${memoryLimitBytes}`, '--'] } as const]),
  ];
}

function tool(name: string, path: string): Promise<string | undefined> {
  return findProgram(name, path, undefined).catch(() => undefined);
}
