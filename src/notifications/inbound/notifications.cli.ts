// Inbound. `horarium notifications`: what happened, and what somebody wants to hear.
import { Command, CommandRunner, Option, SubCommand } from 'nest-commander';
import { ApiCommand, asFarAsAsked, howMany, ListCommand, type ListOptions } from '../../platform/cli/api-command';
import { UsageError } from '../../platform/cli/api-errors';
import { inOneLine, localTime, sheet } from '../../platform/cli/for-people';
import { columns, type JsonOption } from '../../platform/protocol/cli-output';
import type { PreferencesRequest } from './notification.request';
import type {
  MarkedReadResponse,
  NotificationResponse,
  PreferencesResponse,
  UnreadCountResponse,
} from './notification.response';

const PATH = '/api/1.0/notifications';

interface FilterOptions extends ListOptions {
  unread?: boolean;
  kind?: string;
}

@SubCommand({ name: 'list', description: 'yours and those of your tenant, newest first' })
export class NotificationsListCommand extends ListCommand {
  async run(_: string[], options: FilterOptions): Promise<void> {
    const query = { unread: options.unread === true ? 'true' : undefined, kind: options.kind };
    await this.output.run(
      options,
      async () => this.api.list<NotificationResponse>(PATH, query, howMany(options)),
      (listing) => asFarAsAsked(listing, this.table(listing.items)),
      ({ items }) => items,
    );
  }

  @Option({ flags: '--unread', description: 'only those that you have not read' })
  unread(): boolean {
    return true;
  }

  @Option({ flags: '--kind <kind>', description: 'only of this kind: run.failed, task.recovered, …' })
  kind(value: string): string {
    return value;
  }

  private table(items: readonly NotificationResponse[]): string {
    if (items.length === 0) return 'no notifications';
    return columns(
      ['at', '', 'kind', 'what', 'id'],
      items.map((one) => [
        localTime(one.created_at, this.home.name),
        one.read_at === null ? 'new' : '',
        one.kind,
        inOneLine(one.title, 100),
        one.id,
      ]),
    );
  }
}

@SubCommand({ name: 'count', description: 'how many you have not read' })
export class NotificationsCountCommand extends ApiCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    await this.output.run(
      options,
      () => this.api.get<UnreadCountResponse>(`${PATH}/unread-count`),
      ({ unread }) => `${unread} unread`,
    );
  }
}

@SubCommand({ name: 'read', arguments: '[ids...]', description: 'mark these as read, or --all' })
export class NotificationsReadCommand extends ApiCommand {
  async run(words: string[], options: JsonOption & { all?: boolean }): Promise<void> {
    const ids = words.flat();
    await this.output.run(
      options,
      async () => {
        if ((options.all === true) === ids.length > 0) throw new UsageError('Name notifications, or give --all.');
        if (options.all === true) return this.api.post<MarkedReadResponse>(`${PATH}/read-all`);
        for (const id of ids) await this.api.post(`${PATH}/${encodeURIComponent(id)}/read`);
        return { marked: ids.length };
      },
      ({ marked }) => `${marked} marked as read`,
    );
  }

  @Option({ flags: '--all', description: 'all of them' })
  all(): boolean {
    return true;
  }
}

/** As for all tasks, or as the house has it. The library turns null into an empty text. */
type Usual = 'usual';

interface PreferenceOptions extends JsonOption {
  task?: string;
  failure?: boolean | Usual;
  success?: boolean | Usual;
  digest?: number | Usual;
}

@SubCommand({ name: 'preferences', description: 'what you want to hear, of all tasks or of one; options change it' })
export class NotificationsPreferencesCommand extends ApiCommand {
  async run(_: string[], options: PreferenceOptions): Promise<void> {
    const { task, failure, success, digest } = options;
    const path = `${PATH}/preferences${task === undefined ? '' : `/tasks/${encodeURIComponent(task)}`}`;
    const change: Omit<PreferencesRequest, 'toChange'> = {
      ...(failure === undefined ? {} : { notify_on_failure: setting(failure) }),
      ...(success === undefined ? {} : { notify_on_success: setting(success) }),
      ...(digest === undefined ? {} : { digest_seconds: setting(digest) }),
    };
    await this.output.run(
      options,
      () =>
        Object.keys(change).length === 0
          ? this.api.get<PreferencesResponse>(path)
          : this.api.patch<PreferencesResponse>(path, change),
      ({ effective, ...own }) =>
        sheet([
          ['failures', `${onOff(effective.notify_on_failure)}${unset(own.notify_on_failure)}`],
          ['successes', `${onOff(effective.notify_on_success)}${unset(own.notify_on_success)}`],
          ['collected for', `${effective.digest_seconds} s${unset(own.digest_seconds)}`],
        ]),
    );
  }

  @Option({ flags: '--task <id>', description: 'of this task only' })
  task(value: string): string {
    return value;
  }

  @Option({ flags: '--failure <on|off|usual>', description: 'hear of failures' })
  failure(value: string): boolean | Usual {
    return choice('--failure', value);
  }

  @Option({ flags: '--success <on|off|usual>', description: 'hear of successes' })
  success(value: string): boolean | Usual {
    return choice('--success', value);
  }

  @Option({ flags: '--digest <seconds|usual>', description: 'collect more of a kind for so long; 0: never' })
  digest(value: string): number | Usual {
    if (value === 'usual') return value;
    if (!/^\d{1,5}$/.test(value)) throw new UsageError('--digest takes whole seconds, up to 86400, or `usual`.');
    return Number(value);
  }
}

export const NOTIFICATION_COMMANDS = [
  NotificationsListCommand,
  NotificationsCountCommand,
  NotificationsReadCommand,
  NotificationsPreferencesCommand,
];

@Command({ name: 'notifications', description: 'what you are told of', subCommands: NOTIFICATION_COMMANDS })
export class NotificationsCommand extends CommandRunner {
  run(): Promise<void> {
    return Promise.resolve(this.command.help());
  }
}

function setting<T>(given: T | Usual): T | null {
  return given === 'usual' ? null : given;
}

function choice(option: string, value: string): boolean | Usual {
  if (value === 'usual') return value;
  if (value !== 'on' && value !== 'off') throw new UsageError(`${option} takes on, off or usual.`);
  return value === 'on';
}

function onOff(is: boolean): string {
  return is ? 'on' : 'off';
}

function unset(own: boolean | number | null): string {
  return own === null ? ' (not set here)' : '';
}
