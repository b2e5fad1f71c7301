// Port. Where the classifier runs: in a container, or as a process of this machine. A run is known by its id alone, so
// that another process of ours can go on with it.
import { token } from '../../kernel/token';
import type { RunnerEnd } from '../domain/run-outcome';

export interface RunnerJob {
  readonly runId: string;
  readonly tenantId: number;
  readonly image: string;
  /** Of this machine; `in` is only read, `out` is written to. */
  readonly folders: { readonly in: string; readonly out: string };
  readonly deadlineAt: Date;
}

export type RunnerState = 'running' | 'exited' | 'absent';

export interface RunnerTrace {
  readonly runId: string;
  readonly startedAt: Date;
}

export interface RunnerHealth {
  readonly ok: boolean;
  readonly message?: string;
  readonly figures: Readonly<Record<string, string | number | boolean>>;
}

/** Every method throws RunnerUnreachableError when nobody can be asked: then nothing is known, and nothing has changed. */
export interface ClassifierRunner {
  /** `docker` or `process`: who has this run, or would have the next one. */
  nameFor(runId?: string): Promise<string>;

  /** Once for a run: a second start finds the first. Throws RunnerFailedError. */
  start(job: RunnerJob): Promise<void>;

  state(runId: string): Promise<RunnerState>;

  /** Waits for the end, and calls `beat` again and again until then, never two at once. */
  observe(runId: string, beat: () => Promise<void>): Promise<RunnerEnd>;

  /** Politely, then by force. Also when it is over. */
  stop(runId: string): Promise<void>;

  /** Removes what is left of it. Also when nothing is. */
  remove(runId: string): Promise<void>;

  /** All there is of this installation, running or not. */
  traces(): Promise<RunnerTrace[]>;

  check(): Promise<RunnerHealth>;
}

export const ClassifierRunner = token<ClassifierRunner>('ClassifierRunner');
