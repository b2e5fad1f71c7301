// Domain. What an operator may write about an assistant of the driver `command`: a program that is started anew for each
// run, for the first one of a conversation and, if it can go on with one, for those that follow.
import type { Settings } from '../settings';
import { environmentEntry, type EnvironmentEntry } from './environment-names';

export const DEFAULT_OUTPUT_LIMIT_BYTES = 1024 * 1024;
const GIB = 1024 * 1024 * 1024;
const MIB = 1024 * 1024;

export const PROMPT_PLACE = '{prompt}';
export const THREAD_PLACE = '{thread_id}';
export const SESSION_PLACE = '{agent_session}';

export interface CommandWords {
  /** The program and its arguments, handed over exactly so: no shell ever reads them. */
  readonly argv: readonly [string, ...string[]];
  /** On standard input, or as the argument where `{prompt}` stands. */
  readonly prompt: 'stdin' | 'argument';
}

export interface CommandSettings extends CommandWords {
  readonly kind: 'command';
  /** How it goes on with a conversation that has begun. Null: each run stands alone. */
  readonly resume: CommandWords | null;
  /** `auto`: a JSON object on the last line is the result. `text`: whatever is printed is the answer. */
  readonly result: 'auto' | 'text';
  readonly env: readonly EnvironmentEntry[];
  /** Null: the thread's own folder. */
  readonly cwd: string | null;
  /** Folders outside the thread's own that the program may write to, where the isolation forbids it otherwise. */
  readonly writable: readonly string[];
  /** The operating system user that the program runs as, when Horarium runs as root. Null: the house's setting. */
  readonly user: string | null;
  /** How much of each output is kept. */
  readonly outputLimitBytes: number;
  /** How much it steps back for others, 1 to 19. Null: not at all. */
  readonly nice: number | null;
  readonly memoryLimitBytes: number | null;
}

export const COMMAND_KEYS = [
  'command',
  'resume',
  'prompt',
  'result',
  'env',
  'cwd',
  'writable',
  'user',
  'output_limit_bytes',
  'nice',
  'memory_limit_mb',
] as const;

export function commandFrom(settings: Settings, home: string): CommandSettings {
  const first = commandWords(settings, 'command');
  if (first === null) {
    return settings.refuse(
      'command',
      `must be a list: the program, then its arguments, such as [claude, -p, "${PROMPT_PLACE}"]`,
    );
  }
  if (first.argv.some((word) => word.includes(SESSION_PLACE))) {
    settings.refuse('command', `${SESSION_PLACE} is not known yet at the first run: it belongs into "resume"`);
  }
  const memoryMib = settings.whole('memory_limit_mb', 16, 16 * 1024 * 1024);
  return {
    kind: 'command',
    ...first,
    resume: commandWords(settings, 'resume'),
    result: settings.choice('result', ['auto', 'text'], 'auto'),
    env: settings.words('env').map((entry) => environmentEntry(settings, entry)),
    cwd: settings.folder('cwd', home),
    writable: settings.folders('writable', home),
    user: settings.text('user', 32),
    outputLimitBytes: settings.whole('output_limit_bytes', 1024, 64 * GIB) ?? DEFAULT_OUTPUT_LIMIT_BYTES,
    nice: settings.whole('nice', 1, 19),
    memoryLimitBytes: memoryMib === null ? null : memoryMib * MIB,
  };
}

function commandWords(settings: Settings, key: 'command' | 'resume'): CommandWords | null {
  const [program, ...rest] = settings.words(key);
  if (program === undefined || program === '') return null;
  if (/\{(prompt|thread_id|agent_session)\}/.test(program)) {
    settings.refuse(key, `${program} cannot stand for the program itself`);
  }
  // It would be looked up in the thread's folder, where the agent itself writes.
  if (program.includes('/') && !program.startsWith('/')) {
    settings.refuse(key, `"${program}" is a relative path: give the full path, or a name to be found on PATH`);
  }
  return { argv: [program, ...rest], prompt: promptPlace(settings, key, rest) };
}

function promptPlace(settings: Settings, key: 'command' | 'resume', args: readonly string[]): 'stdin' | 'argument' {
  const places = args.filter((word) => word.includes(PROMPT_PLACE)).length;
  const chosen = settings.choice('prompt', ['stdin', 'argument'], places > 0 ? 'argument' : 'stdin');
  if (places > 1) settings.refuse(key, `${PROMPT_PLACE} may stand in one argument only`);
  if (chosen === 'argument' && places === 0)
    settings.refuse('prompt', `"argument" needs ${PROMPT_PLACE} in the command`);
  if (chosen === 'stdin' && places > 0)
    settings.refuse('prompt', `"stdin" and ${PROMPT_PLACE} in the command exclude each other`);
  return chosen;
}
