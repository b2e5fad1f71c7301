// Platform, protocol. What every command does alike: say its result, or with --json hand it out as one JSON value;
// say a refusal on stderr and set the exit code.
import { cliRefusal } from './cli-errors';
import { withoutSecrets } from './redaction';

export interface JsonOption {
  json?: boolean;
}

/** The streams of a process; a test hands its own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  exitCode(code: number): void;
}

export const PROCESS: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  exitCode: (code) => {
    process.exitCode = code;
  },
};

export class CliOutput {
  /** @param program how this person starts the command line: what a hint tells to type must work as it stands */
  constructor(
    private readonly terminal: Terminal = PROCESS,
    private readonly program = 'horarium',
  ) {}

  /**
   * Runs a command's work and says how it ended. Never rejects.
   * @param say the result for people; its JSON form is `json(result)`, or the result itself
   * @param exitCode for a result that is an answer and still bad news
   */
  async run<T>(
    options: JsonOption,
    work: () => Promise<T>,
    say: (result: T) => string,
    json: (result: T) => unknown = (result) => result,
    exitCode: (result: T) => number = () => 0,
  ): Promise<void> {
    try {
      const result = await work();
      const text = options.json === true ? JSON.stringify(json(result)) : say(result);
      this.terminal.out(`${text}\n`);
      if (exitCode(result) !== 0) this.terminal.exitCode(exitCode(result));
    } catch (error) {
      this.refuse(error, options);
    }
  }

  /** Beside the result: for people, on stderr, so that a script's input stays clean. */
  note(text: string): void {
    this.terminal.err(withoutSecrets(`${text}\n`));
  }

  /** What the library of commands prints by itself: help, the version. */
  write(text: string): void {
    this.terminal.out(text);
  }

  /** Also for what goes wrong before a command runs: a wrong setting, an unreachable database. */
  refuse(error: unknown, options: JsonOption = {}): void {
    const refusal = cliRefusal(error);
    this.terminal.exitCode(refusal.exitCode);
    const text = options.json === true ? JSON.stringify(refusal.problem) : asTyped(refusal.text, this.program);
    this.terminal.err(withoutSecrets(`${text}\n`));
  }
}

/** The commands that a text tells to type, as this person types them. */
export function asTyped(text: string, program: string): string {
  return text.replace(/(?<=hint: |: |`|\()horarium (?=[a-z-])/g, `${program} `);
}

/** Columns for people: a head, then one line for each row. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => (row[index] ?? '').length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
