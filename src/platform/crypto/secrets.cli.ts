// Platform, crypto. `horarium secrets`.
import { Command, CommandRunner, SubCommand } from 'nest-commander';
import { ApiCommand } from '../cli/api-command';
import { columns, type JsonOption } from '../protocol/cli-output';
import type { ResealedResponse, SecretsResponse } from './secrets.response';

@SubCommand({ name: 'list', description: 'how many secrets are stored, and under which keys' })
export class SecretsListCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.get<SecretsResponse>('/api/operations/secrets'), inventory);
  }
}

@SubCommand({ name: 'reseal', description: 'seal all of them under the current HORARIUM_ENCRYPTION_KEY' })
export class SecretsResealCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.post<ResealedResponse>('/api/operations/secrets/reseal'), resealed);
  }
}

@Command({
  name: 'secrets',
  description: 'stored secrets and their keys',
  subCommands: [SecretsListCommand, SecretsResealCommand],
})
export class SecretsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function inventory({ current_key_id: current, sealed }: SecretsResponse): string {
  if (sealed.length === 0) return `no secret is stored; the current key is ${current ?? 'none'}`;
  const state = (id: string, readable: boolean): string => (id === current ? 'current' : readable ? 'old' : 'missing');
  return columns(
    ['stored in', 'key', '', 'values'],
    sealed.map((one) => [
      `${one.table}.${one.column}`,
      one.key_id,
      state(one.key_id, one.readable),
      String(one.values),
    ]),
  );
}

function resealed({ current_key_id: current, resealed: done }: ResealedResponse): string {
  const lines = done.map(({ table, column, values }) => `${table}.${column}: ${values} sealed anew`);
  return [...lines, `All stored secrets are under the key ${current ?? 'none'}.`].join('\n');
}
