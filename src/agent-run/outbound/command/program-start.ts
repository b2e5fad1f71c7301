// Outbound, command driver. A program as it is to be started: decided in preparation.ts, done in child.ts.

/** What is started: no shell reads any of it. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly uid?: number;
  readonly gid?: number;
  /** Null: nothing to read on standard input. */
  readonly stdin: string | null;
}
