// Inbound. `horarium agents ca`.
import { CommandRunner, SubCommand } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { AuthorityResponse } from './authority.response';

const PATH = '/api/1.0/remote-agents/authorities';

@SubCommand({ name: 'show', description: 'who vouches for agents; newest first' })
export class AuthorityShowCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.get<AuthorityResponse[]>(PATH), forPeople);
  }
}

@SubCommand({ name: 'rotate', description: 'put a new authority in front; the one before stays trusted for a while' })
export class AuthorityRotateCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.post<AuthorityResponse[]>(`${PATH}/rotate`), forPeople);
  }
}

@SubCommand({
  name: 'ca',
  description: 'the authority that signs for agents',
  subCommands: [AuthorityShowCommand, AuthorityRotateCommand],
})
export class AuthorityCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function forPeople(authorities: AuthorityResponse[]): string {
  return columns(
    ['subject', 'signs', 'trusted until', 'fingerprint (SHA-256)'],
    authorities.map((one) => [
      one.subject,
      one.signs ? 'yes' : 'no',
      one.trusted_until ?? one.not_after,
      one.fingerprint,
    ]),
  );
}
