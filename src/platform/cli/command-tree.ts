// Platform, command line. Makes the library's commands keep the house's rules: what cannot be understood is refused in the
// house's words and with its exit code, a superfluous word is not swallowed, and nothing ends the process by itself.
import type { CommandRunner } from 'nest-commander';
import type { CliOutput } from '../protocol/cli-output';
import { UsageError } from './api-errors';

type Command = Parameters<CommandRunner['setCommand']>[0];

/** How the library ends a command that is over before it ran: help was shown, or something was not understood. */
interface Ending {
  readonly code: string;
  readonly exitCode: number;
}

export class CommandTree {
  private misunderstood: UsageError | undefined;

  constructor(private readonly output: CliOutput) {}

  /** Names commands that are not loaded: for help, and so that the nearest to a misspelt one is found. After `govern`. */
  list(root: Command, commands: Readonly<Record<string, string>>): void {
    for (const [name, description] of Object.entries(commands)) root.command(name).description(description);
  }

  /** The root and everything beneath it. */
  govern(command: Command, path: string): void {
    if (command.parent === null) command.name(path);
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => this.output.write(text),
      writeErr: (text) => this.output.write(text),
      outputError: (text) => {
        this.misunderstood = new UsageError(inOurWords(text), `${path} --help`);
      },
    });
    if (command.commands.length === 0) command.allowExcessArguments(false);
    else if (command.parent !== null) asksForMore(command, path);
    for (const child of command.commands) this.govern(child, `${path} ${child.name()}`);
  }

  /** What is left to say of an ending; undefined when all has been said. */
  refusal(ending: unknown): unknown {
    const { code, exitCode } = (ending ?? {}) as Partial<Ending>;
    if (typeof code !== 'string' || !code.startsWith('commander.')) return ending;
    return exitCode === 0 || code === 'commander.help' ? undefined : (this.misunderstood ?? ending);
  }
}

/** A command that only holds others: alone it shows them, with an unknown word it names them. */
function asksForMore(command: Command, path: string): void {
  command.allowUnknownOption();
  command.action(() => {
    const [word] = command.args;
    if (word === undefined) command.help();
    const known = command.commands.map((child) => child.name()).join(', ');
    command.error(`error: ${path} knows no ${JSON.stringify(word)}; it knows ${known}`);
  });
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` */
function inOurWords(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');
}
