// Inbound. `horarium channels`, by way of the server.
import { Command, CommandRunner, SubCommand } from 'nest-commander';
import { ApiCommand } from '../../platform/cli/api-command';
import { inOneLine, localTime } from '../../platform/cli/for-people';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { ChannelResponse, RenewalResponse } from './channel.response';

const CHANNELS = '/api/1.0/integrations/google-drive/channels';

@SubCommand({ name: 'list', description: 'the push channels of Google Drive, newest first' })
export class ChannelsListCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.get<ChannelResponse[]>(CHANNELS),
      (channels) => this.table(channels),
    );
  }

  private table(channels: readonly ChannelResponse[]): string {
    if (channels.length === 0) return 'no channels';
    return columns(
      ['tenant', 'state', 'until', 'messages', 'last message', 'channel', 'why'],
      channels.map((channel) => [
        String(channel.tenant_id),
        channel.state,
        localTime(channel.expires_at, this.home.name),
        String(channel.messages),
        localTime(channel.last_message_at, this.home.name),
        channel.id,
        inOneLine(channel.last_error ?? '-', 80),
      ]),
    );
  }
}

@SubCommand({ name: 'renew', description: 'new channels for every tenant, now' })
export class ChannelsRenewCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<RenewalResponse[]>(`${CHANNELS}/renew`),
      (renewals) =>
        renewals.length === 0
          ? 'no tenant is connected'
          : columns(
              ['tenant', 'outcome', 'why'],
              renewals.map(({ tenant_id: tenant, outcome, error }) => [
                String(tenant),
                outcome,
                inOneLine(error ?? '-', 100),
              ]),
            ),
      undefined,
      (renewals) => (renewals.some(({ outcome }) => outcome === 'failed') ? 7 : 0),
    );
  }
}

export const CHANNEL_COMMANDS = [ChannelsListCommand, ChannelsRenewCommand];

@Command({ name: 'channels', description: 'push channels of Google Drive', subCommands: CHANNEL_COMMANDS })
export class ChannelsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}
