// Inbound. `horarium assistant list|test`, for the operator.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { CliOutput, columns, type JsonOption } from '../../platform/protocol/cli-output';
import { ListAssistants } from '../usecases/list-assistants';
import { TestAssistant, type AssistantReport } from '../usecases/test-assistant';

@SubCommand({ name: 'list', description: 'show the assistants' })
export class AssistantListCommand extends CommandRunner {
  constructor(
    private readonly listAssistants: ListAssistants,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => Promise.resolve(this.listAssistants.run()),
      (assistants) =>
        columns(
          ['ID', 'DRIVER', 'TITLE'],
          assistants.map(({ id, driver, title }) => [id, driver, title]),
        ),
    );
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({
  name: 'test',
  arguments: '[id]',
  description: 'try an assistant: its program, its login, one tiny prompt',
  argsDescription: { id: 'which one (default)' },
})
export class AssistantTestCommand extends CommandRunner {
  constructor(
    private readonly testAssistant: TestAssistant,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run([id = 'default']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.testAssistant.orRefuse(id), inWords, inJson);
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@Command({
  name: 'assistant',
  description: 'the programs that run prompts',
  subCommands: [AssistantListCommand, AssistantTestCommand],
})
export class AssistantCommand extends CommandRunner {
  run(): Promise<void> {
    this.command.help();
  }
}

function inWords({ assistantId, findings, answer }: AssistantReport): string {
  const lines = findings.map(({ fine, what }) => `  ${fine ? 'ok' : '!!'}  ${what}`);
  return [`Assistant "${assistantId}" works.`, ...lines, `Its answer: ${(answer ?? '').trim().slice(0, 500)}`].join(
    '\n',
  );
}

function inJson({ assistantId, works, findings, answer }: AssistantReport): object {
  return { assistant_id: assistantId, works, findings, answer };
}
