// Domain. What an operator may write about an assistant, and what it means. Every refusal names the key and what
// would be right. Reading the file, and naming its lines, is not here.
import { PROMPT_PLACE, type Assistant, type CommandSettings, type EnvironmentEntry } from './assistant';
import { InvalidAssistantError } from './errors';
import { Settings } from './settings';

export const DEFAULT_TIMEOUT_SECONDS = 3600;
export const DEFAULT_OUTPUT_LIMIT_BYTES = 1024 * 1024;
const WEEK_SECONDS = 7 * 24 * 3600;

const KEYS = [
  'title',
  'driver',
  'command',
  'prompt',
  'env',
  'cwd',
  'roots',
  'writable',
  'concurrency',
  'timeout_seconds',
  'user',
  'output_limit_bytes',
] as const;

/** The house's own secrets. Whoever lists one of them by mistake would hand the keys to the agent. */
const SECRETS = [
  'HORARIUM_JWT_SECRET',
  'HORARIUM_ENCRYPTION_KEY',
  'DATABASE_URL',
  'DATABASE_MIGRATION_URL',
  'REDIS_URL',
];

/** Builds one assistant from what stands under its id. `home` replaces a leading `~` in folders. */
export function assistantFrom(id: string, value: unknown, home: string): Assistant {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id)) {
    throw new InvalidAssistantError(
      id,
      'id',
      'must be 1 to 64 letters, digits, ".", "_" or "-", a letter or digit first',
    );
  }
  const settings = new Settings(id, value, KEYS);
  settings.choice('driver', ['command'], 'command');
  return {
    id,
    title: settings.text('title', 200) ?? id,
    allowedRoots: settings.folders('roots', home),
    concurrency: settings.whole('concurrency', 1, 100_000),
    timeoutSeconds: settings.whole('timeout_seconds', 1, WEEK_SECONDS) ?? DEFAULT_TIMEOUT_SECONDS,
    driver: commandFrom(settings, home),
  };
}

function commandFrom(settings: Settings, home: string): CommandSettings {
  const argv = settings.words('command');
  const [program, ...rest] = argv;
  if (program === undefined || program === '') {
    return settings.refuse(
      'command',
      `must be a list: the program, then its arguments, such as [claude, -p, "${PROMPT_PLACE}"]`,
    );
  }
  if (program.includes(PROMPT_PLACE)) settings.refuse('command', `${PROMPT_PLACE} cannot stand for the program itself`);
  // It would be looked up in the thread's folder, where the agent itself writes.
  if (program.includes('/') && !program.startsWith('/')) {
    settings.refuse('command', `"${program}" is a relative path: give the full path, or a name to be found on PATH`);
  }
  return {
    kind: 'command',
    argv: [program, ...rest],
    prompt: promptPlace(settings, rest),
    env: (settings.words('env') ?? []).map((entry) => environmentEntry(settings, entry)),
    cwd: settings.folder('cwd', home),
    writable: settings.folders('writable', home),
    user: settings.text('user', 32),
    outputLimitBytes: settings.whole('output_limit_bytes', 1024, 64 * 1024 * 1024) ?? DEFAULT_OUTPUT_LIMIT_BYTES,
  };
}

function promptPlace(settings: Settings, args: readonly string[]): 'stdin' | 'argument' {
  const places = args.filter((word) => word.includes(PROMPT_PLACE)).length;
  const chosen = settings.choice('prompt', ['stdin', 'argument'], places > 0 ? 'argument' : 'stdin');
  if (places > 1) settings.refuse('command', `${PROMPT_PLACE} may stand in one argument only`);
  if (chosen === 'argument' && places === 0)
    settings.refuse('prompt', `"argument" needs ${PROMPT_PLACE} in the command`);
  if (chosen === 'stdin' && places > 0)
    settings.refuse('prompt', `"stdin" and ${PROMPT_PLACE} in the command exclude each other`);
  return chosen;
}

function environmentEntry(settings: Settings, entry: string): EnvironmentEntry {
  const [, name, fixed] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/.exec(entry) ?? [];
  if (name === undefined) {
    return settings.refuse('env', `"${entry}" is neither NAME (passed on) nor NAME=value (fixed)`);
  }
  if (SECRETS.includes(name) && fixed === undefined) {
    settings.refuse('env', `${name} is a secret of Horarium itself and is never handed to an agent`);
  }
  return { name, value: fixed ?? null };
}
