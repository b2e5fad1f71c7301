// Outbound, langgraph driver. How a run on a LangGraph server has ended, out of its status and the state of its thread. Pure.
import { bareEnd, type RunEnd } from '../../domain/run-end';
import { usage, type Usage } from '../../domain/usage';

/** The states of a run that goes on. Whatever else a server calls one is an end. */
const UNDER_WAY = ['pending', 'running'];

type Json = Readonly<Record<string, unknown>>;

/** What this needs of a thread's state. */
export interface GraphState {
  readonly values: unknown;
  readonly next: readonly string[];
  readonly tasks: readonly unknown[];
}

export function isUnderWay(status: string): boolean {
  return UNDER_WAY.includes(status);
}

/** `state` is missing when it is not this run's: it ended before its first step. */
export function endOfRun(status: string, thread: string, state: GraphState | null): RunEnd {
  const more = { agentSession: thread, ...(state === null ? {} : said(state)) };
  if (status === 'interrupted') return bareEnd('interrupted', 'The run was ended on the LangGraph server.', more);
  if (status === 'timeout')
    return bareEnd('timeout', 'The LangGraph server has ended the run: it took too long.', more);
  if (status !== 'success') {
    return bareEnd('error', errorIn(state) ?? `The run has failed on the LangGraph server (${status}).`, more);
  }
  // A graph that asks a person has succeeded, by its server: but nothing will happen until somebody answers.
  const question = state === null ? null : questionIn(state);
  if (question !== null) return bareEnd('error', question, { ...more, reason: 'input_needed' });
  return bareEnd('success', null, more);
}

function said({ values }: GraphState): Pick<RunEnd, 'output' | 'usage'> {
  const messages = isObject(values) && Array.isArray(values['messages']) ? values['messages'].filter(isObject) : null;
  if (messages === null) return { output: kept(values == null ? '' : JSON.stringify(values)), usage: null };
  // What was said since the prompt; what is older belongs to other runs.
  const ours = messages.slice(messages.findLastIndex(isPrompt) + 1);
  const answer = ours.findLast((message) => roleOf(message) === 'ai');
  return { output: kept(textOf(answer?.['content'])), usage: usageOf(ours) };
}

function kept(text: string): RunEnd['output'] {
  return { text: text.replaceAll('\0', '\uFFFD'), droppedBytes: 0 };
}

function questionIn({ tasks, next }: GraphState): string | null {
  const [asked] = tasks.flatMap((task): unknown[] => {
    const interrupts = isObject(task) ? task['interrupts'] : null;
    return Array.isArray(interrupts) ? interrupts : [];
  });
  if (asked !== undefined)
    return `The agent asks a person: ${shortened(wordsOf(isObject(asked) ? asked['value'] : asked))}`;
  if (next.length === 0) return null;
  return `The graph has stopped before "${shortened(next.join('", "'))}" until a person lets it go on.`;
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const spoken = isObject(value) ? (value['question'] ?? value['message'] ?? value['description']) : undefined;
  return typeof spoken === 'string' ? spoken : JSON.stringify(value ?? null);
}

function errorIn(state: GraphState | null): string | null {
  for (const task of state?.tasks ?? []) {
    const error = isObject(task) ? task['error'] : null;
    if (typeof error === 'string' && error !== '') return shortened(messageIn(error));
  }
  return null;
}

/** Some servers tell the error as the text of a JSON object. */
function messageIn(error: string): string {
  try {
    const value: unknown = JSON.parse(error);
    return isObject(value) && typeof value['message'] === 'string' ? value['message'] : error;
  } catch {
    return error;
  }
}

function usageOf(messages: readonly Json[]): Usage | null {
  const used = messages.flatMap((message) => (isObject(message['usage_metadata']) ? [message['usage_metadata']] : []));
  const total = (key: string): number | null => {
    const counts = used.map((one) => one[key]).filter((count) => typeof count === 'number');
    return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
  };
  return usage({
    inputTokens: total('input_tokens'),
    outputTokens: total('output_tokens'),
    totalTokens: total('total_tokens'),
    costUsd: null,
  });
}

function isPrompt(message: Json): boolean {
  return roleOf(message) === 'human';
}

function roleOf(message: Json): string {
  const role = message['type'] ?? message['role'];
  return role === 'user' ? 'human' : role === 'assistant' || role === 'AIMessageChunk' ? 'ai' : String(role);
}

/** A text, or blocks of which some are texts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (isObject(block) && typeof block['text'] === 'string' ? block['text'] : '')).join('');
}

function shortened(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
