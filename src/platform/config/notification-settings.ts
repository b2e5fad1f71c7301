// Platform, configuration. The settings of notifications. A part of config.ts, which reads as one class.
import { RemoteAgentSettings } from './remote-agent-settings';
import { Setting } from './setting';
import { address, line, wholeNumber } from './setting-kinds';

const mailbox = line({ min: 3, max: 320, allowed: 'a mail address, such as ops@example.org' });

export class NotificationSettings extends RemoteAgentSettings {
  @Setting({
    env: 'HORARIUM_NOTIFY_SLACK',
    kind: address('https:', 'http:'),
    secret: true,
    group: 'Notifications',
    doc: 'A Slack-compatible incoming webhook, told of failures and recoveries of the first tenant.',
  })
  readonly notifySlack?: string;

  @Setting({
    env: 'HORARIUM_NOTIFY_NTFY',
    kind: address('https:', 'http:'),
    secret: true,
    group: 'Notifications',
    doc: 'An ntfy topic (`https://ntfy.sh/your-topic`), told the same.',
  })
  readonly notifyNtfy?: string;

  @Setting({
    env: 'HORARIUM_NOTIFY_MAIL',
    kind: mailbox,
    group: 'Notifications',
    doc: 'A mail address, told the same. Needs `HORARIUM_SMTP_URL`.',
  })
  readonly notifyMail?: string;

  @Setting({
    env: 'HORARIUM_SMTP_URL',
    kind: address('smtp:', 'smtps:'),
    secret: true,
    group: 'Notifications',
    doc: 'The mail server for webhooks of target `mail`: `smtps://user:password@mail.example.org`.',
  })
  readonly smtpUrl?: string;

  @Setting({
    env: 'HORARIUM_MAIL_FROM',
    kind: mailbox,
    default: 'horarium@localhost',
    group: 'Notifications',
    doc: 'The sender of those mails.',
  })
  readonly mailFrom!: string;

  @Setting({
    env: 'HORARIUM_NOTIFICATION_KEEP_DAYS',
    kind: wholeNumber(1, 3_650),
    default: '30',
    group: 'Notifications',
    doc: 'How long notifications and the log of webhooks are kept.',
  })
  readonly notificationKeepDays!: number;
}
