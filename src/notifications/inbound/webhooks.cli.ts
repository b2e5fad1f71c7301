// Inbound. `horarium webhooks`: where programs are told of what happened.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import { inOneLine, localTime, sheet } from '../../platform/cli/for-people';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type {
  DeliveryResponse,
  ReplayedResponse,
  WebhookResponse,
  WebhookWithSecretResponse,
} from './webhook.response';

const PATH = '/api/1.0/webhooks';
const at = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

@SubCommand({ name: 'list', description: 'the webhooks of your tenant, newest first' })
export class WebhooksListCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.get<WebhookResponse[]>(PATH),
      (webhooks) =>
        webhooks.length === 0
          ? 'no webhooks'
          : columns(
              ['id', 'name', 'state', 'target', 'url'],
              webhooks.map((one) => [
                one.id,
                inOneLine(one.name, 40),
                stateOf(one),
                one.target,
                inOneLine(one.url, 80),
              ]),
            ),
    );
  }
}

@SubCommand({ name: 'show', arguments: '<id>', description: 'one webhook' })
export class WebhooksShowCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.get<WebhookResponse>(at(id)), described);
  }
}

interface CreateOptions extends JsonOption {
  target?: string;
  event?: string[];
}

@SubCommand({ name: 'create', arguments: '<name> <url>', description: 'tell this address; prints the secret, once' })
export class WebhooksCreateCommand extends ApiCommand {
  async run([name = '', url = '']: string[], { target, event, ...options }: CreateOptions): Promise<void> {
    const body = { name, url, target, event_types: event };
    await this.output.run(options, () => this.api.post<WebhookWithSecretResponse>(PATH, body), withSecret);
  }

  @Option({ flags: '--target <kind>', description: 'signed (usual), slack, ntfy or mail' })
  target(value: string): string {
    return value;
  }

  @Option({ flags: '--event <type>', description: 'of this: run.failed, task.recovered, …; several times for several' })
  event(value: string, before: string[] = []): string[] {
    return [...before, value];
  }
}

@SubCommand({ name: 'enable', arguments: '<id>', description: 'tell it again, and forget that it failed' })
export class WebhooksEnableCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.patch<WebhookResponse>(at(id), { enabled: true }), described);
  }
}

@SubCommand({ name: 'disable', arguments: '<id>', description: 'tell it nothing more' })
export class WebhooksDisableCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(options, () => this.api.patch<WebhookResponse>(at(id), { enabled: false }), described);
  }
}

@SubCommand({ name: 'delete', arguments: '<id>', description: 'delete it with its log; what waits is not sent' })
export class WebhooksDeleteCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.delete<WebhookResponse>(at(id)),
      () => `webhook ${id} is deleted`,
    );
  }
}

@SubCommand({
  name: 'rotate-secret',
  arguments: '<id>',
  description: 'a new secret, printed once; both sign for 24 hours',
})
export class WebhooksRotateSecretCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    const path = `${at(id)}/rotate-secret`;
    await this.output.run(options, () => this.api.post<WebhookWithSecretResponse>(path), withSecret);
  }
}

@SubCommand({ name: 'test', arguments: '<id>', description: 'send a test, and say what came of it' })
export class WebhooksTestCommand extends ApiCommand {
  async run([id = '']: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.post<DeliveryResponse>(`${at(id)}/test`),
      outcome,
      undefined,
      ({ state }) => (state === 'delivered' ? 0 : 7),
    );
  }
}

@SubCommand({ name: 'deliveries', arguments: '<id>', description: 'what was sent to it, newest first' })
export class WebhooksDeliveriesCommand extends ListCommand {
  async run([id = '']: string[], options: ListOptions & { state?: string }): Promise<void> {
    await this.output.run(
      options,
      async () => this.api.list<DeliveryResponse>(`${at(id)}/deliveries`, { state: options.state }, howMany(options)),
      (listing) => asFarAsAsked(listing, this.table(listing.items)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--state <state>', description: 'waiting, delivered, or parked: given up, kept for replay' })
  state(value: string): string {
    return value;
  }

  private table(deliveries: readonly DeliveryResponse[]): string {
    if (deliveries.length === 0) return 'no deliveries';
    return columns(
      ['at', 'event', 'state', 'attempts', 'answer', 'id'],
      deliveries.map((one) => [
        localTime(one.created_at, this.home.name),
        one.type,
        one.state,
        String(one.attempts),
        answerOf(one),
        one.id,
      ]),
    );
  }
}

@SubCommand({
  name: 'replay',
  arguments: '<id> [delivery]',
  description: 'send one delivery again, or all parked ones',
})
export class WebhooksReplayCommand extends ApiCommand {
  async run([id = '', delivery]: string[], options: JsonOption): Promise<void> {
    if (delivery === undefined) {
      await this.output.run(
        options,
        () => this.api.post<ReplayedResponse>(`${at(id)}/replay-parked`),
        ({ replayed }) => `${replayed} will be sent again`,
      );
    } else {
      const path = `${at(id)}/deliveries/${encodeURIComponent(delivery)}/replay`;
      await this.output.run(options, () => this.api.post<DeliveryResponse>(path), outcome);
    }
  }
}

export const WEBHOOK_COMMANDS = [
  WebhooksListCommand,
  WebhooksShowCommand,
  WebhooksCreateCommand,
  WebhooksEnableCommand,
  WebhooksDisableCommand,
  WebhooksDeleteCommand,
  WebhooksRotateSecretCommand,
  WebhooksTestCommand,
  WebhooksDeliveriesCommand,
  WebhooksReplayCommand,
];

@Command({ name: 'webhooks', description: 'where programs are told of what happened', subCommands: WEBHOOK_COMMANDS })
export class WebhooksCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function stateOf({ enabled, disabled_reason: reason, failing_since: failing }: WebhookResponse): string {
  if (!enabled) return reason === null ? 'disabled' : `disabled: ${reason}`;
  return failing === null ? 'enabled' : 'failing';
}

function answerOf({ last_status: status, last_error: error }: DeliveryResponse): string {
  return inOneLine(error ?? (status === null ? '-' : String(status)), 80);
}

function outcome(delivery: DeliveryResponse): string {
  return `${delivery.id}: ${delivery.state}, ${answerOf(delivery)}`;
}

function described(webhook: WebhookResponse): string {
  return sheet([
    ['webhook', webhook.id],
    ['name', inOneLine(webhook.name, 100)],
    ['state', stateOf(webhook)],
    ['target', webhook.target],
    ['url', inOneLine(webhook.url, 200)],
    ['events', webhook.event_types.join(' ')],
    ['made by', inOneLine(webhook.created_by, 100)],
  ]);
}

function withSecret(webhook: WebhookWithSecretResponse): string {
  const { secret } = webhook;
  if (secret === null) return described(webhook);
  return `${described(webhook)}\n\nIts secret, shown now and never again: ${secret}`;
}
