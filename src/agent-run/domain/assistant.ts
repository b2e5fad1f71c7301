// Domain. A named way to execute prompts, configured by the operator. How settings become an assistant is in
// assistant-settings.ts; where they are read is an adapter's business.

/** The kinds of drivers. `langgraph`, `http`, `model` and `pull` will stand beside it. */
export const DRIVER_KINDS = ['command'] as const;
export type DriverKind = (typeof DRIVER_KINDS)[number];

export const PROMPT_PLACE = '{prompt}';

/** A variable of the agent's environment: a fixed value, or whatever the operator's environment holds. */
export interface EnvironmentEntry {
  readonly name: string;
  readonly value: string | null;
}

/** What the `command` driver needs: a program that is started anew for each run. */
export interface CommandSettings {
  readonly kind: 'command';
  /** The program and its arguments, handed over exactly so: no shell ever reads them. */
  readonly argv: readonly [string, ...string[]];
  /** On standard input, or as the argument where `{prompt}` stands. */
  readonly prompt: 'stdin' | 'argument';
  readonly env: readonly EnvironmentEntry[];
  /** Null: the thread's own folder. */
  readonly cwd: string | null;
  /** Folders outside the thread's own that the program may write to, where the isolation forbids it otherwise. */
  readonly writable: readonly string[];
  /** The operating system user that the program runs as, when Horarium runs as root. Null: the house's setting. */
  readonly user: string | null;
  /** How much of each output is kept. */
  readonly outputLimitBytes: number;
}

export interface Assistant {
  readonly id: string;
  readonly title: string;
  /** Where a task may choose its working folder. */
  readonly allowedRoots: readonly string[];
  /** How many of its runs may work at once in one process; null leaves the limit to the schedule's budget. */
  readonly concurrency: number | null;
  readonly timeoutSeconds: number;
  readonly driver: CommandSettings;
}

export interface AssistantSummary {
  readonly id: string;
  readonly title: string;
  readonly driver: DriverKind;
}

export function summaryOf({ id, title, driver }: Assistant): AssistantSummary {
  return { id, title, driver: driver.kind };
}
