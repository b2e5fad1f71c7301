// Outbound, command driver. What a program's end means for its run: its exit, what it printed, what it told of itself.
import { settingsOf } from '../../domain/assistant';
import { bareEnd, type RunEnd } from '../../domain/run-end';
import { toldIn } from '../../domain/told-result';
import type { Heard, Launch } from '../../ports/assistant-driver';
import type { ChildEnd } from './child';
import { conversationAfter } from './command-line';
import { exitOf } from './witness';

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

/**
 * Of a program that nobody listened to any more: its exit is known, of what it said only what was heard until its house died.
 * A signal may be that very death (a pipe that nobody reads): that is no failure of the agent's.
 */
export function endUnheard(exitCode: number, heard: Heard, launch: Launch | undefined, now: Date): RunEnd {
  const { code, signal } = exitOf(exitCode);
  const output = { text: heard.output, droppedBytes: 0 };
  const errorOutput = { text: heard.errorOutput, droppedBytes: 0 };
  const said = { exitCode: code, output, errorOutput };
  if (signal !== null) {
    const error = `The Horarium process that held this run has ended, and its agent too (signal ${signal}).`;
    return bareEnd('interrupted', error, { ...said, presumed: true });
  }
  const end: ChildEnd = { ...said, code, signal, timedOut: false, lastLine: lastLine(heard.output) };
  if (launch !== undefined) return endOfProgram(launch, end, undefined, now);
  const error = exitError(end);
  return bareEnd(error === null ? 'success' : 'error', error, said);
}

const NOTHING_TOLD = { reason: null, retryAt: null, result: null, usage: null };

function exitError({ code, signal, errorOutput }: ChildEnd): string | null {
  if (code === 0) return null;
  const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
  const last = shortened(lastLine(errorOutput.text));
  return `The agent failed (${how})${last === '' ? '.' : `: ${last}`}`;
}

/** Programs say what went wrong in the end. */
function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}

function shortened(line: string): string {
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
