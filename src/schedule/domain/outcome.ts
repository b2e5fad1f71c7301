// Domain value: how a run ended, in the words of tasks. Where agent runs come from is not known here: their states arrive
// as text, and one that is no end is no outcome.
import type { OutcomeStatus } from './status';
import { keptError } from './text-rule';

/** Why a run did not succeed, for machines; the text beside it is for people. */
export const RUN_REASONS = [
  'overlap',
  'too_late',
  'thread_busy',
  'launch_failed',
  'launch_unknown',
  'agent_failed',
  'agent_timeout',
  'interrupted',
  'process_lost',
  'corrupt',
  'queue_timeout',
  'task_paused',
  'task_deleted',
] as const;
export type RunReason = (typeof RUN_REASONS)[number];

export interface Outcome {
  readonly status: OutcomeStatus;
  readonly reason: RunReason | null;
  readonly error: string | null;
  /** Nobody saw this end: it was concluded from a silence. The true one may correct it, once. */
  readonly presumed: boolean;
}

/** The outcome of an agent run in this state; `null` while it is none. A success carries no error, whatever was left over. */
export function outcomeOf(agentStatus: string, error: string | null, presumed = false): Outcome | null {
  switch (agentStatus) {
    case 'success':
      return { status: 'success', reason: null, error: null, presumed: false };
    case 'error':
      return ended('failed', 'agent_failed', error, 'The agent run failed without saying why. Look at its output.');
    case 'timeout':
      return ended('failed', 'agent_timeout', error, 'The agent run took longer than its assistant allows.');
    case 'interrupted':
      return presumed
        ? { ...lostWithItsProcess(), error: keptError(error ?? lostWithItsProcess().error ?? '') }
        : ended('interrupted', 'interrupted', error, 'The agent run was interrupted before it ended.');
    default:
      return null;
  }
}

/** The process that looked after the run is gone, and nobody knows how the run ended. */
export function lostWithItsProcess(): Outcome {
  const error = 'Interrupted: Horarium stopped or restarted while the run was active, and its end is not known.';
  return { status: 'interrupted', reason: 'process_lost', error, presumed: true };
}

/** The launch stayed without an answer for too long, and no agent run was found. */
export function neverHeardOf(deadlineSeconds: number): Outcome {
  const error = `Nobody could find out within ${deadlineSeconds} s whether the agent run started; it was given up.`;
  return { status: 'failed', reason: 'launch_unknown', error, presumed: true };
}

/** The run had started, and its agent run is in nobody's books any more (its thread was deleted, say). */
export function goneWithoutTrace(): Outcome {
  const error = 'Interrupted: the agent run is no longer on record, and how it ended is not known.';
  return { status: 'interrupted', reason: 'interrupted', error, presumed: true };
}

function ended(status: OutcomeStatus, reason: RunReason, error: string | null, otherwise: string): Outcome {
  const text = error === null || error.trim() === '' ? otherwise : keptError(error);
  return { status, reason, error: text, presumed: false };
}
