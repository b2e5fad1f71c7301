// Inbound. `horarium agent`: this machine as an agent of a server somewhere else.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { hostname } from 'node:os';
import { CliOutput, type JsonOption } from '../../platform/protocol/cli-output';
import { EnrollMachine } from '../usecases/enroll-machine';
import { ServeMachine } from '../usecases/serve-machine';
import { OwnVersion } from './own-version';
import { Patience } from './patience';
import { AgentSendCommand } from './send.cli';
import { serverFrom, tokenFrom } from './enroll-options';

interface EnrollOptions extends JsonOption {
  server?: string;
  token?: string;
  name?: string;
  allowHttp?: boolean;
  again?: boolean;
}

@SubCommand({ name: 'enroll', description: 'enrol this machine with a token from `horarium agents token`' })
export class AgentEnrollCommand extends CommandRunner {
  constructor(
    private readonly enroll: EnrollMachine,
    private readonly version: OwnVersion,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run(_: string[], options: EnrollOptions): Promise<void> {
    await this.output.run(
      options,
      async () =>
        this.enroll.run({
          server: serverFrom(options.server),
          token: await tokenFrom(options.token),
          name: options.name ?? hostname(),
          version: this.version.text,
          allowHttp: options.allowHttp === true,
          again: options.again === true,
        }),
      ({ agentId, agentUrl, notAfter }) =>
        `This machine is agent ${agentId}. Its certificate is good until ${notAfter.toISOString()} and renews itself.\n` +
        `Next: \`horarium agent run\` (it speaks to ${agentUrl}).`,
      ({ agentId, agentUrl, notAfter }) => ({ agent_id: agentId, agent_url: agentUrl, not_after: notAfter }),
    );
  }

  @Option({ flags: '--server <address>', description: 'the server, such as https://horarium.example.org' })
  server(value: string): string {
    return value;
  }

  @Option({ flags: '--token <token>', description: 'the token; - reads it from standard input' })
  token(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: "what people call it (the machine's name)" })
  name(value: string): string {
    return value;
  }

  @Option({ flags: '--allow-http', description: 'over a network that is yours alone' })
  allowHttp(): boolean {
    return true;
  }

  @Option({ flags: '--again', description: 'also when it is enrolled already' })
  again(): boolean {
    return true;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}

@SubCommand({ name: 'run', description: 'be there, keep the certificate fresh, and run what is fetched' })
export class AgentRunProgramCommand extends CommandRunner {
  constructor(
    private readonly serve: ServeMachine,
    private readonly patience: Patience,
    private readonly output: CliOutput,
  ) {
    super();
  }

  /** The first signal: no new runs, and what is at work may finish. The second, or enough of waiting: it is ended. */
  async run(): Promise<void> {
    const stop = new AbortController();
    const hurry = new AbortController();
    let patience: NodeJS.Timeout | undefined;
    const onSignal = (): void => {
      if (stop.signal.aborted) return hurry.abort();
      stop.abort();
      patience = setTimeout(() => hurry.abort(), this.patience.ms);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
    try {
      await this.output.run(
        {},
        () => this.serve.run({ stop: stop.signal, hurry: hurry.signal }),
        () => 'Stopped.',
      );
    } finally {
      clearTimeout(patience);
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, onSignal);
    }
  }
}

@Command({
  name: 'agent',
  description: 'this machine as an agent of a server somewhere else',
  subCommands: [AgentEnrollCommand, AgentRunProgramCommand, AgentSendCommand],
})
export class AgentCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}
