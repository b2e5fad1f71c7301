// Outbound, command driver. From an assistant's settings and a launch to the words and the environment of a program.
// Pure: reads the operator's environment only as it is handed in.
import { PROMPT_PLACE, type CommandSettings } from '../../domain/assistant';
import type { Launch } from '../../ports/assistant-driver';

export function argvOf(settings: CommandSettings, prompt: string): [string, ...string[]] {
  const [program, ...rest] = settings.argv;
  if (settings.prompt === 'stdin') return [program, ...rest];
  return [
    program,
    ...rest.map((word, at) => (word.includes(PROMPT_PLACE) ? filled(word, prompt, rest[at - 1]) : word)),
  ];
}

/**
 * People write prompts, operators write commands: a prompt `--dangerously-skip-permissions` must not become an option.
 * A blank in front keeps it an argument, and so does a `--` that the operator has put before the place.
 */
function filled(word: string, prompt: string, before: string | undefined): string {
  const mayBeOption = word === PROMPT_PLACE && prompt.startsWith('-') && before !== '--';
  // A function, since `$&` in a replacement text has a meaning.
  return word.replace(PROMPT_PLACE, () => (mayBeOption ? ` ${prompt}` : prompt));
}

/** What every program needs to run at all. Everything else must be listed by the operator. */
const ALWAYS = ['PATH', 'LANG', 'TZ'] as const;
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function environmentOf(
  settings: CommandSettings,
  launch: Launch,
  operator: Readonly<Record<string, string | undefined>>,
  home: string,
): Record<string, string> {
  const env: Record<string, string> = { PATH: DEFAULT_PATH, HOME: home };
  for (const name of ALWAYS) if (operator[name] !== undefined) env[name] = operator[name];
  for (const { name, value } of settings.env) {
    const handed = value ?? operator[name];
    if (handed !== undefined) env[name] = handed;
  }
  return { ...env, ...whatItServes(launch) };
}

/** How a task's metadata is called in a program's environment. */
const METADATA_NAMES: Readonly<Record<string, string>> = {
  scheduled_task_id: 'HORARIUM_TASK_ID',
  scheduled_task_run_id: 'HORARIUM_RUN_ID',
  scheduled_trigger: 'HORARIUM_TRIGGER',
  scheduled_for: 'HORARIUM_SCHEDULED_FOR',
};

function whatItServes({ agentRunId, threadId, metadata }: Launch): Record<string, string> {
  const env: Record<string, string> = { HORARIUM_RUN_ID: agentRunId };
  for (const [key, name] of Object.entries(METADATA_NAMES)) {
    const value = metadata[key];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, HORARIUM_THREAD_ID: threadId, HORARIUM_AGENT_RUN_ID: agentRunId, HORARIUM_NON_INTERACTIVE: '1' };
}
