// Platform, configuration. The settings of Google Drive. A part of config.ts, which reads as one class.
import { SocketSettings } from './socket-settings';
import { Setting } from './setting';
import { address, line, wholeNumber } from './setting-kinds';

const group = 'Google Drive';
const url = address('https:', 'http:');
const name = line({ max: 200, allowed: '1 to 200 characters on one line' });

export class DriveSettings extends SocketSettings {
  @Setting({
    env: 'DRIVE_OAUTH_CLIENT_ID',
    kind: line({ max: 512, allowed: 'the client id of an OAuth client of the type web application' }),
    group,
    doc: 'The OAuth client that tenants connect their Drive with. Without it Drive is switched off.',
  })
  readonly driveOauthClientId?: string;

  @Setting({
    env: 'DRIVE_OAUTH_CLIENT_SECRET',
    kind: line({ max: 512, allowed: 'the secret of that client' }),
    secret: true,
    group,
    doc: 'Its secret.',
  })
  readonly driveOauthClientSecret?: string;

  @Setting({
    env: 'DRIVE_OAUTH_SCOPE',
    kind: line({ max: 512, allowed: 'an OAuth scope of Google Drive' }),
    default: 'https://www.googleapis.com/auth/drive',
    group,
    doc: 'What is asked for. With `…/auth/drive.file` only what Horarium made itself is seen: nothing is imported.',
  })
  readonly driveOauthScope!: string;

  @Setting({
    env: 'DRIVE_API_ROOT_URL',
    kind: url,
    default: 'https://www.googleapis.com/',
    group,
    doc: 'Where Drive is. Another one is for tests.',
  })
  readonly driveApiRootUrl!: string;

  @Setting({
    env: 'DRIVE_OAUTH_AUTH_URL',
    kind: url,
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    group,
    doc: 'Where people give their consent.',
  })
  readonly driveOauthAuthUrl!: string;

  @Setting({
    env: 'DRIVE_OAUTH_TOKEN_URL',
    kind: url,
    default: 'https://oauth2.googleapis.com/token',
    group,
    doc: 'Where tokens are had.',
  })
  readonly driveOauthTokenUrl!: string;

  @Setting({
    env: 'DRIVE_OAUTH_REVOKE_URL',
    kind: url,
    default: 'https://oauth2.googleapis.com/revoke',
    group,
    doc: 'Where a grant is given back.',
  })
  readonly driveOauthRevokeUrl!: string;

  @Setting({
    env: 'DRIVE_ROOT_FOLDER_NAME',
    kind: name,
    default: 'Horarium',
    group,
    doc: 'The folder in Drive that everything is beneath.',
  })
  readonly driveRootFolderName!: string;

  @Setting({
    env: 'DRIVE_SYNC_INTERVAL_SECONDS',
    kind: wholeNumber(1, 3_600),
    default: '5',
    group,
    doc: 'The pause between two looks at the queue while there is work; what is queued wakes the worker at once.',
  })
  readonly driveSyncIntervalSeconds!: number;

  @Setting({
    env: 'DRIVE_SYNC_BATCH_SIZE',
    kind: wholeNumber(1, 200),
    default: '10',
    group,
    doc: 'The most jobs that this process works on at once.',
  })
  readonly driveSyncBatchSize!: number;

  @Setting({
    env: 'DRIVE_SYNC_LEASE_SECONDS',
    kind: wholeNumber(10, 3_600),
    default: '30',
    group,
    doc: 'After this long without a sign of its worker a job goes to another one.',
  })
  readonly driveSyncLeaseSeconds!: number;

  @Setting({
    env: 'DRIVE_POLL_INTERVAL_MINUTES',
    kind: wholeNumber(1, 15),
    default: '10',
    group,
    doc: 'How often the change feed is read without a notification.',
  })
  readonly drivePollIntervalMinutes!: number;

  @Setting({
    env: 'DRIVE_JOB_RETENTION_DAYS',
    kind: wholeNumber(1, 3_650),
    default: '30',
    group,
    doc: 'How long finished jobs are kept.',
  })
  readonly driveJobRetentionDays!: number;

  @Setting({
    env: 'DRIVE_MAX_FILE_MIB',
    kind: wholeNumber(1, 10_240),
    default: '100',
    group,
    doc: 'Larger files are not imported; their jobs say so.',
  })
  readonly driveMaxFileMib!: number;

  @Setting({
    env: 'CHANNEL_RENEWAL_INTERVAL_HOURS',
    kind: wholeNumber(1, 24),
    default: '6',
    group,
    doc: 'How often push channels are looked at.',
  })
  readonly channelRenewalIntervalHours!: number;

  @Setting({
    env: 'CHANNEL_RENEWAL_WINDOW_HOURS',
    kind: wholeNumber(1, 144),
    default: '24',
    group,
    doc: 'One that ends within this time gets a successor.',
  })
  readonly channelRenewalWindowHours!: number;

  @Setting({
    env: 'CHANNEL_TTL_DAYS',
    kind: wholeNumber(1, 7),
    default: '7',
    group,
    doc: 'For how long a channel is asked for; Drive gives no more than 7 days.',
  })
  readonly channelTtlDays!: number;
}
