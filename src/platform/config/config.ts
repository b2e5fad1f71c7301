// Platform, configuration. Every setting of the house: one class, read once at start. Read from it in *.module.ts
// files and front doors only, which turn it into policies that the inner rooms understand.
import { NotificationSettings } from './notification-settings';
import { Setting } from './setting';
import {
  absolutePaths,
  address,
  bearerToken,
  host,
  line,
  list,
  oneOf,
  origin,
  osUser,
  path,
  proxies,
  serverAddress,
  timeZone,
  wholeNumber,
} from './setting-kinds';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const postgres = address('postgres:', 'postgresql:');
const secretText = line({ min: 32, max: 4096, allowed: 'at least 32 characters on one line' });
const secretTexts = list(secretText, 'texts of at least 32 characters, separated by commas');
const shortText = line({ max: 512, allowed: '1 to 512 characters on one line' });

export class Config extends NotificationSettings {
  // -- Server ----------------------------------------------------------------------------------
  @Setting({
    env: 'HORARIUM_DATA_DIR',
    kind: path,
    default: '.horarium',
    group: 'Server',
    doc: 'The data folder: embedded database, generated secrets, operator token, working folders of agents.',
  })
  readonly dataDir!: string;

  @Setting({
    env: 'HOST',
    kind: host,
    default: '127.0.0.1',
    group: 'Server',
    doc: 'What the server listens on. `0.0.0.0` opens it to the network: put TLS in front of it first.',
  })
  readonly host!: string;

  @Setting({
    env: 'PORT',
    kind: wholeNumber(0, 65_535),
    default: '3000',
    group: 'Server',
    doc: 'Its port; 0 takes any free one.',
  })
  readonly port!: number;

  @Setting({
    env: 'PUBLIC_URL',
    kind: origin,
    default: {
      words: '`http://HOST:PORT`',
      from: ({ host, port }) => `http://${publicHost(String(host))}:${String(port)}`,
    },
    group: 'Server',
    doc: 'The address people and callbacks use. With https:// browsers are told to stay on it (HSTS).',
  })
  readonly publicUrl!: string;

  @Setting({
    env: 'HORARIUM_TRUSTED_PROXIES',
    kind: proxies,
    group: 'Server',
    doc: 'Reverse proxies whose `X-Forwarded-*` headers are believed. None: no such header is.',
  })
  readonly trustedProxies?: number | readonly string[];

  @Setting({
    env: 'HORARIUM_MAX_BODY_KIB',
    kind: wholeNumber(1, 102_400),
    default: '256',
    group: 'Server',
    doc: 'The largest request body, in KiB, after decompression.',
  })
  readonly maxBodyKib!: number;

  @Setting({
    env: 'HORARIUM_LOG_LEVEL',
    kind: oneOf(...LOG_LEVELS),
    default: 'info',
    group: 'Server',
    doc: 'The least severe log line that is written.',
  })
  readonly logLevel!: LogLevel;

  @Setting({
    env: 'HORARIUM_LOG_FORMAT',
    kind: oneOf('auto', 'json', 'line'),
    default: 'auto',
    group: 'Server',
    doc: '`json`: one object a line. `line`: for reading. `auto`: `line` on a terminal, else `json`.',
  })
  readonly logFormat!: 'auto' | 'json' | 'line';

  @Setting({
    env: 'HORARIUM_SHUTDOWN_DEADLINE_SECONDS',
    kind: wholeNumber(1, 3_600),
    default: '30',
    group: 'Server',
    doc: 'How long a stop waits for what is in flight.',
  })
  readonly shutdownDeadlineSeconds!: number;

  // -- Database --------------------------------------------------------------------------------
  @Setting({
    env: 'DATABASE_URL',
    kind: postgres,
    secret: true,
    group: 'Database',
    doc: 'Your own PostgreSQL, 15 or newer. Without it an embedded one is started in the data folder.',
  })
  readonly databaseUrl?: string;

  @Setting({
    env: 'DATABASE_MIGRATION_URL',
    kind: postgres,
    secret: true,
    group: 'Database',
    doc: 'Another login for migrations, when the one above may not change tables.',
  })
  readonly databaseMigrationUrl?: string;

  @Setting({
    env: 'DATABASE_POOL_SIZE',
    kind: wholeNumber(2, 500),
    default: '10',
    group: 'Database',
    doc: 'The most database connections of this process.',
  })
  readonly databasePoolSize!: number;

  @Setting({
    env: 'OUTBOX_RETENTION_DAYS',
    kind: wholeNumber(1, 3_650),
    default: '7',
    group: 'Database',
    doc: 'How long events between features are kept after all of them have taken note.',
  })
  readonly outboxRetentionDays!: number;

  // -- Identity --------------------------------------------------------------------------------
  @Setting({
    env: 'HORARIUM_JWT_SECRET',
    kind: secretText,
    secret: true,
    group: 'Identity',
    doc: 'Signs and checks tokens (HS256). Generated into the data folder with the embedded database.',
  })
  readonly jwtSecret?: string;

  @Setting({
    env: 'HORARIUM_JWT_JWKS_URL',
    kind: address('https:', 'http:'),
    group: 'Identity',
    doc: "Your identity provider's public keys (JWKS). Its tokens carry `sub`, `tenant_id` and `roles`.",
  })
  readonly jwtJwksUrl?: string;

  @Setting({
    env: 'HORARIUM_JWT_ISSUER',
    kind: shortText,
    group: 'Identity',
    doc: 'The `iss` that a token must have.',
  })
  readonly jwtIssuer?: string;

  @Setting({
    env: 'HORARIUM_JWT_AUDIENCE',
    kind: shortText,
    group: 'Identity',
    doc: 'The `aud` that a token must have.',
  })
  readonly jwtAudience?: string;

  @Setting({
    env: 'HORARIUM_ENCRYPTION_KEY',
    kind: secretText,
    secret: true,
    group: 'Identity',
    doc: 'Encrypts stored secrets. Generated into the data folder with the embedded database.',
  })
  readonly encryptionKey?: string;

  @Setting({
    env: 'HORARIUM_ENCRYPTION_KEYS_OLD',
    kind: secretTexts,
    default: { words: 'none', from: () => '' },
    secret: true,
    group: 'Identity',
    doc: 'Earlier values of the above, separated by commas: they open what they sealed until `horarium secrets reseal`.',
  })
  readonly encryptionKeysOld!: readonly string[];

  // -- Schedule --------------------------------------------------------------------------------
  @Setting({
    env: 'HORARIUM_DEFAULT_TIMEZONE',
    kind: timeZone,
    default: { words: "the machine's", from: (_, { timezone }) => timeZone.parse(timezone) ?? 'UTC' },
    group: 'Schedule',
    doc: 'The zone of a task for doors that take none. The HTTP interface always asks for one.',
  })
  readonly defaultTimezone!: string;

  @Setting({
    env: 'SCHEDULE_POLL_INTERVAL_SECONDS',
    kind: wholeNumber(1, 3_600),
    default: '5',
    group: 'Schedule',
    doc: 'The longest pause between two looks for due tasks.',
  })
  readonly schedulePollIntervalSeconds!: number;

  @Setting({
    env: 'SCHEDULE_LOOK_AHEAD_MS',
    kind: wholeNumber(0, 5_000),
    default: '2500',
    group: 'Schedule',
    doc: 'How long before its moment a task is claimed, so that it starts on time. It never starts before. 0: not ahead.',
  })
  readonly scheduleLookAheadMs!: number;

  @Setting({
    env: 'SCHEDULE_LEASE_SECONDS',
    kind: wholeNumber(5, 86_400),
    default: '120',
    group: 'Schedule',
    doc: 'How long a claimed task belongs to the process that claimed it.',
  })
  readonly scheduleLeaseSeconds!: number;

  @Setting({
    env: 'SCHEDULE_MAX_CONCURRENT_RUNS',
    kind: wholeNumber(1, 100_000),
    default: '10',
    group: 'Schedule',
    doc: 'The budget: the most runs active at once, over all tenants and processes.',
  })
  readonly scheduleMaxConcurrentRuns!: number;

  @Setting({
    env: 'SCHEDULE_MIN_ONCE_DELAY_SECONDS',
    kind: wholeNumber(0, 86_400),
    default: '60',
    group: 'Schedule',
    doc: 'How far in the future a `once` task must at least lie.',
  })
  readonly scheduleMinOnceDelaySeconds!: number;

  @Setting({
    env: 'SCHEDULE_LAUNCH_UNKNOWN_DEADLINE_SECONDS',
    kind: wholeNumber(10, 86_400),
    default: '900',
    group: 'Schedule',
    doc: 'After this long a launch whose result is not known is given up and counted as failed.',
  })
  readonly scheduleLaunchUnknownDeadlineSeconds!: number;

  @Setting({
    env: 'SCHEDULE_QUEUE_TIMEOUT_SECONDS',
    kind: wholeNumber(60, 604_800),
    default: '3600',
    group: 'Schedule',
    doc: 'How long a run of a task with `overlap_policy: queue` waits for its turn before it is given up as failed.',
  })
  readonly scheduleQueueTimeoutSeconds!: number;

  // -- Surveys ---------------------------------------------------------------------------------
  @Setting({
    env: 'SURVEY_LOCK_TTL_SECONDS',
    kind: wholeNumber(1, 3_600),
    default: '30',
    group: 'Surveys',
    doc: 'How long a field of a survey is locked for somebody who gives no sign of life.',
  })
  readonly surveyLockTtlSeconds!: number;

  // -- Agents ----------------------------------------------------------------------------------
  @Setting({
    env: 'HORARIUM_ASSISTANTS_FILE',
    kind: path,
    group: 'Agents',
    doc: 'The assistants, in YAML. Without it there is the bundled sample agent. Read again on SIGHUP.',
  })
  readonly assistantsFile?: string;

  @Setting({
    env: 'HORARIUM_AGENT_USER',
    kind: osUser,
    group: 'Agents',
    doc: 'The unprivileged user that agents run as when the server runs as root.',
  })
  readonly agentUser?: string;

  @Setting({
    env: 'HORARIUM_WORKSPACE_ROOTS',
    kind: absolutePaths,
    default: { words: 'none', from: () => '' },
    group: 'Agents',
    doc: 'Folders beneath which a task may choose its working folder.',
  })
  readonly workspaceRoots!: readonly string[];

  // -- Command line ----------------------------------------------------------------------------
  @Setting({
    env: 'HORARIUM_URL',
    kind: serverAddress,
    group: 'Command line',
    doc: 'The server that `horarium` asks. Without it: the one on this machine, `http://HOST:PORT`.',
  })
  readonly serverUrl?: string;

  @Setting({
    env: 'HORARIUM_TOKEN',
    kind: bearerToken,
    secret: true,
    group: 'Command line',
    doc: 'Who `horarium` asks as: a token or an API key. Without it: the operator token in the data folder.',
  })
  readonly token?: string;
}

/** Where a browser on this machine finds a server that listens on `host`. */
function publicHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
