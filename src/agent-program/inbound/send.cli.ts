// Inbound. `horarium agent send`: a file of this machine as evidence.
import { CommandRunner, Option, SubCommand } from 'nest-commander';
import { UsageError } from '../../platform/cli/api-errors';
import { CliOutput, type JsonOption } from '../../platform/protocol/cli-output';
import { SendEvidence } from '../usecases/send-evidence';

interface SendOptions extends JsonOption {
  project?: string;
  task?: string;
  name?: string;
}

@SubCommand({ name: 'send', arguments: '<file>', description: 'send a file as evidence of a project' })
export class AgentSendCommand extends CommandRunner {
  constructor(
    private readonly evidence: SendEvidence,
    private readonly output: CliOutput,
  ) {
    super();
  }

  async run([path = '']: string[], { project, task, name, ...options }: SendOptions): Promise<void> {
    await this.output.run(
      options,
      async () => {
        if (project === undefined)
          throw new UsageError('--project takes the id of the project that it is evidence of.');
        const more = { ...(task !== undefined && { taskId: task }), ...(name !== undefined && { name }) };
        return this.evidence.run({ path, projectId: project, ...more });
      },
      ({ evidenceId, name: kept, sizeBytes }) => `${kept} (${sizeBytes} bytes) is evidence ${evidenceId}.`,
      (sent) => ({ evidence_id: sent.evidenceId, name: sent.name, size_bytes: sent.sizeBytes, sha256: sent.sha256 }),
    );
  }

  @Option({ flags: '--project <id>', description: 'the project' })
  project(value: string): string {
    return value;
  }

  @Option({ flags: '--task <id>', description: 'a task of the project' })
  task(value: string): string {
    return value;
  }

  @Option({ flags: '--name <name>', description: 'in place of the name that the file has' })
  name(value: string): string {
    return value;
  }

  @Option({ flags: '--json', description: 'print JSON' })
  json(): boolean {
    return true;
  }
}
