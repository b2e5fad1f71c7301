// Inbound. `horarium agents`: a tenant's machines.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import { AuthorityCommand } from './authority.cli';
import { AgentsReissueCommand, AgentsTokenCommand } from './enrollment-tokens.cli';
import type { AgentResponse, DeletedAgentResponse, RevokedResponse } from './remote-agent.response';

const PATH = '/api/1.0/remote-agents';
const at = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

interface FilterOptions extends ListOptions {
  state?: string;
  label?: string[];
}

@SubCommand({ name: 'list', description: 'the agents, newest first' })
export class AgentsListCommand extends ListCommand {
  async run(_: string[], options: FilterOptions): Promise<void> {
    await this.output.run(
      options,
      async () => {
        const query = { state: options.state, labels: options.label?.join(',') };
        return this.api.list<AgentResponse>(PATH, query, howMany(options));
      },
      (listing) => asFarAsAsked(listing, table(listing.items)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--state <state>', description: 'online, offline or disabled' })
  state(value: string): string {
    return value;
  }

  @Option({ flags: '--label <label>', description: 'that have this label; several times for several' })
  label(value: string, before: string[] = []): string[] {
    return [...before, value];
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'one agent' })
export class AgentsShowCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.get<AgentResponse>(at(id)), sheet);
  }
}

@SubCommand({ name: 'label', arguments: '<id> [labels...]', description: 'give an agent these labels, and no others' })
export class AgentsLabelCommand extends ApiCommand {
  async run([id = '', ...labels]: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.patch<AgentResponse>(at(id), { labels: labels.flat() }), sheet);
  }
}

@SubCommand({ name: 'disable', arguments: '<id>', description: 'let it in no more, from its next request on' })
export class AgentsDisableCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.patch<AgentResponse>(at(id), { disabled: true }), sheet);
  }
}

@SubCommand({ name: 'enable', arguments: '<id>', description: 'let it in again' })
export class AgentsEnableCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.patch<AgentResponse>(at(id), { disabled: false }), sheet);
  }
}

@SubCommand({ name: 'revoke', arguments: '<id>', description: 'revoke all its certificates, at once' })
export class AgentsRevokeCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<RevokedResponse>(`${at(id)}/revoke`),
      ({ revoked_certificates: count }) => `${count} certificate${count === 1 ? '' : 's'} revoked`,
    );
  }
}

@SubCommand({ name: 'delete', arguments: '<id>', description: 'delete an agent with its certificates' })
export class AgentsDeleteCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.delete<DeletedAgentResponse>(at(id)),
      () => `agent ${id} is deleted`,
    );
  }
}

export const AGENTS_COMMANDS = [
  AgentsListCommand,
  AgentsShowCommand,
  AgentsLabelCommand,
  AgentsDisableCommand,
  AgentsEnableCommand,
  AgentsRevokeCommand,
  AgentsDeleteCommand,
];

@Command({
  name: 'agents',
  description: 'remote agents: who is let in, who is online',
  subCommands: [AgentsTokenCommand, AgentsReissueCommand, ...AGENTS_COMMANDS, AuthorityCommand],
})
export class AgentsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function stateOf({ disabled_at, is_online, suspected_clone_at }: AgentResponse): string {
  const state = disabled_at !== null ? 'disabled' : is_online ? 'online' : 'offline';
  return suspected_clone_at === null ? state : `${state}, clone?`;
}

function table(agents: readonly AgentResponse[]): string {
  return columns(
    ['id', 'name', 'state', 'last seen', 'certificate until', 'labels'],
    agents.map((one) => [
      one.id,
      one.name,
      stateOf(one),
      one.last_seen_at ?? 'never',
      one.certificate_expires_at ?? 'none',
      one.labels.join(' '),
    ]),
  );
}

function sheet(one: AgentResponse): string {
  return columns(
    ['agent', one.id],
    [
      ['name', one.name],
      ['version', one.version === '' ? '-' : one.version],
      ['state', stateOf(one)],
      ['labels', one.labels.join(' ') || '-'],
      ['last seen', one.last_seen_at ?? 'never'],
      ['clock ahead', one.clock_skew_ms === null ? '-' : `${one.clock_skew_ms} ms`],
      ['certificate until', one.certificate_expires_at ?? 'none'],
      ['created', one.created_at],
    ],
  );
}
