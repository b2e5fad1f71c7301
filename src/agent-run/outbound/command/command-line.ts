// Outbound, command driver. From an assistant's settings and a launch to the words and the environment of a program.
// Pure: reads the operator's environment only as it is handed in.
import {
  PROMPT_PLACE,
  SESSION_PLACE,
  THREAD_PLACE,
  type CommandSettings,
  type CommandWords,
} from '../../domain/driver-settings/command-settings';
import type { Launch } from '../../ports/assistant-driver';

/** The first run of a conversation, or one that goes on with it. */
export function wordsOf(settings: CommandSettings, { agentSession }: Launch): CommandWords {
  return agentSession !== null && settings.resume !== null ? settings.resume : settings;
}

export function argvOf({ argv, prompt }: CommandWords, launch: Launch): [string, ...string[]] {
  const [program, ...rest] = argv;
  return [program, ...rest.map((word, at) => filled(word, prompt === 'argument', launch, rest[at - 1]))];
}

/**
 * People write prompts, operators write commands: a prompt `--dangerously-skip-permissions` must not become an option.
 * A blank in front keeps it an argument, and so does a `--` that the operator has put before the place.
 */
function filled(word: string, promptHere: boolean, launch: Launch, before: string | undefined): string {
  // A function, since `$&` in a replacement text has a meaning; the prompt last, for what it says is no place.
  const named = word
    .replaceAll(THREAD_PLACE, () => launch.threadId)
    .replaceAll(SESSION_PLACE, () => launch.agentSession ?? '');
  if (!promptHere || !word.includes(PROMPT_PLACE)) return named;
  const { prompt } = launch;
  const mayBeOption = word === PROMPT_PLACE && prompt.startsWith('-') && before !== '--';
  return named.replace(PROMPT_PLACE, () => (mayBeOption ? ` ${prompt}` : prompt));
}

/**
 * How the next run on the thread will know that there is a conversation: by the name that the agent has told, or, when the
 * operator's command needs none, by the thread's, once a run has gone well.
 */
export function conversationAfter(
  { resume }: CommandSettings,
  { threadId }: Launch,
  told: string | null,
  wentWell: boolean,
): string | null {
  if (resume === null) return null;
  if (resume.argv.some((word) => word.includes(SESSION_PLACE))) return told;
  return wentWell ? threadId : null;
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

function whatItServes({ agentRunId, threadId, agentSession, metadata }: Launch): Record<string, string> {
  const env: Record<string, string> = { HORARIUM_RUN_ID: agentRunId };
  for (const [key, name] of Object.entries(METADATA_NAMES)) {
    const value = metadata[key];
    if (value !== undefined) env[name] = value;
  }
  if (agentSession !== null) env['HORARIUM_AGENT_SESSION'] = agentSession;
  return { ...env, HORARIUM_THREAD_ID: threadId, HORARIUM_AGENT_RUN_ID: agentRunId, HORARIUM_NON_INTERACTIVE: '1' };
}
