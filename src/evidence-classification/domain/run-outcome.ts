// Domain. How a run ended. An exit code of 0 is not enough: a child may have been killed for memory, a program that was
// told to stop may end politely, and one that crashed may have handled every file but the last.
import type { RunReason } from './classification-run';

/** What the runner saw. */
export interface RunnerEnd {
  /** Null: nobody knows. */
  readonly exitCode: number | null;
  readonly outOfMemory: boolean;
  /** The last of what it said. */
  readonly output: string;
}

export interface EndOfRun {
  readonly end: RunnerEnd;
  /** Why we stopped it, if we did: whatever it answered then. */
  readonly stoppedFor: 'cancelled' | 'timed_out' | 'output_too_large' | null;
  /** Files of the manifest, which is written as the last act. Null: there is none. */
  readonly manifestFiles: number | null;
  readonly givenFiles: number;
}

export interface Outcome {
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly reason: RunReason | null;
}

const KILLED = 137;
const TERMINATED = 143;

export function outcomeOf({ end, stoppedFor, manifestFiles, givenFiles }: EndOfRun): Outcome {
  if (stoppedFor === 'cancelled') return { status: 'cancelled', reason: 'cancelled' };
  if (stoppedFor !== null) return failed(stoppedFor);
  if (end.outOfMemory) return failed('out_of_memory');
  if (end.exitCode === null) return failed('engine_lost');
  // Not by us: whoever stops the engine stops what runs on it.
  if (end.exitCode === KILLED || end.exitCode === TERMINATED) return failed('engine_stopped');
  if (end.exitCode !== 0) return failed('exit_code');
  return manifestFiles === givenFiles ? { status: 'succeeded', reason: null } : failed('incomplete_result');
}

function failed(reason: RunReason): Outcome {
  return { status: 'failed', reason };
}
