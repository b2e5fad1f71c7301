// Outbound, command driver. What a program's end means for its run: its exit, what it printed, what it told of itself.
import { settingsOf } from '../../domain/assistant';
import { bareEnd, type RunEnd } from '../../domain/run-end';
import { toldIn } from '../../domain/told-result';
import type { Launch } from '../../ports/assistant-driver';
import type { ChildEnd } from './child';
import { conversationAfter } from './command-line';

export function endOfProgram(launch: Launch, end: ChildEnd, cancelled: string | undefined, now: Date): RunEnd {
  const settings = settingsOf(launch.assistant, 'command');
  const told = settings.result === 'auto' ? toldIn(end.output.text, end.lastLine, now) : null;
  const { reason, retryAt, result, usage } = told ?? NOTHING_TOLD;
  const said = { exitCode: end.code, output: end.output, errorOutput: end.errorOutput, usage };
  if (end.timedOut) {
    const { timeoutSeconds } = launch.assistant;
    return bareEnd('timeout', `The agent was ended: it did not finish within ${timeoutSeconds} s.`, said);
  }
  if (cancelled !== undefined) return bareEnd('interrupted', cancelled, said);
  const error = told?.error ?? exitError(end);
  const agentSession = conversationAfter(settings, launch, told?.agentSession ?? null, error === null);
  if (error === null) return bareEnd('success', null, { ...said, result, agentSession });
  return bareEnd('error', error, { ...said, result, agentSession, reason, retryAt });
}

const NOTHING_TOLD = { reason: null, retryAt: null, result: null, usage: null };

function exitError({ code, signal, errorOutput }: ChildEnd): string | null {
  if (code === 0) return null;
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const last = lastLine(errorOutput.text);
  return `The agent failed (${how})${last === '' ? '.' : `: ${last}`}`;
}

/** Programs say what went wrong in the end. */
function lastLine(text: string): string {
  const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
