// Platform, configuration. What must hold between settings. A single setting's own rule stands at its declaration.
import type { Config } from './config';

interface Check {
  holds(config: Config): boolean;
  readonly message: string;
}

const CHECKS: readonly Check[] = [
  {
    holds: (config) => config.scheduleLeaseSeconds > config.schedulePollIntervalSeconds,
    message:
      'SCHEDULE_LEASE_SECONDS must be greater than SCHEDULE_POLL_INTERVAL_SECONDS, ' +
      'else a claim expires before the next look and a second process takes it over',
  },
  {
    holds: (config) => config.scheduleLaunchUnknownDeadlineSeconds >= config.scheduleLeaseSeconds,
    message:
      'SCHEDULE_LAUNCH_UNKNOWN_DEADLINE_SECONDS must not be less than SCHEDULE_LEASE_SECONDS, ' +
      'else a launch is given up while its owner still works on it',
  },
  {
    holds: (config) => config.databaseMigrationUrl === undefined || config.databaseUrl !== undefined,
    message: 'DATABASE_MIGRATION_URL needs DATABASE_URL beside it',
  },
  {
    holds: ({ databaseUrl, jwtSecret, jwtJwksUrl }) =>
      databaseUrl === undefined || jwtSecret !== undefined || jwtJwksUrl !== undefined,
    message:
      'DATABASE_URL needs HORARIUM_JWT_SECRET or HORARIUM_JWT_JWKS_URL beside it: ' +
      'every process has to check the same tokens (`openssl rand -hex 32` makes a secret)',
  },
  {
    holds: ({ databaseUrl, encryptionKey }) => databaseUrl === undefined || encryptionKey !== undefined,
    message:
      'DATABASE_URL needs HORARIUM_ENCRYPTION_KEY beside it: ' +
      'every process has to read the same stored secrets (`openssl rand -hex 32` makes one)',
  },
  {
    holds: ({ jwtJwksUrl, jwtIssuer, jwtAudience }) =>
      jwtJwksUrl === undefined || (jwtIssuer !== undefined && jwtAudience !== undefined),
    message:
      'HORARIUM_JWT_JWKS_URL needs HORARIUM_JWT_ISSUER and HORARIUM_JWT_AUDIENCE beside it, ' +
      'else a token that the same provider made for another application would open this one',
  },
  {
    holds: ({ s3Endpoint, s3AccessKeyId, s3SecretAccessKey }) =>
      new Set([s3Endpoint, s3AccessKeyId, s3SecretAccessKey].map((value) => value === undefined)).size === 1,
    message: 'EVIDENCE_S3_ENDPOINT, EVIDENCE_S3_ACCESS_KEY_ID and EVIDENCE_S3_SECRET_ACCESS_KEY go together',
  },
  {
    holds: ({ driveOauthClientId, driveOauthClientSecret }) =>
      (driveOauthClientId === undefined) === (driveOauthClientSecret === undefined),
    message: 'DRIVE_OAUTH_CLIENT_ID and DRIVE_OAUTH_CLIENT_SECRET go together',
  },
  {
    holds: ({ classifierModelUrl, classifierModel }) =>
      (classifierModelUrl === undefined) === (classifierModel === undefined),
    message: 'CLASSIFIER_MODEL_URL and CLASSIFIER_MODEL go together',
  },
  {
    holds: (config) => config.driveSyncLeaseSeconds > config.driveSyncIntervalSeconds,
    message:
      'DRIVE_SYNC_LEASE_SECONDS must be greater than DRIVE_SYNC_INTERVAL_SECONDS, ' +
      'else a job is taken over while its worker is alive',
  },
  {
    holds: (config) => config.channelRenewalWindowHours > config.channelRenewalIntervalHours,
    message:
      'CHANNEL_RENEWAL_WINDOW_HOURS must be greater than CHANNEL_RENEWAL_INTERVAL_HOURS, ' +
      'else a channel ends between two looks',
  },
  {
    holds: (config) => config.channelTtlDays * 24 > config.channelRenewalWindowHours,
    message: 'CHANNEL_TTL_DAYS must be longer than CHANNEL_RENEWAL_WINDOW_HOURS, else every look renews every channel',
  },
  {
    holds: ({ agentTlsCertFile, agentTlsKeyFile }) =>
      (agentTlsCertFile === undefined) === (agentTlsKeyFile === undefined),
    message: 'HORARIUM_AGENT_TLS_CERT_FILE and HORARIUM_AGENT_TLS_KEY_FILE need one another',
  },
  {
    holds: ({ agentCaFile, agentCaKeyFile }) => (agentCaFile === undefined) === (agentCaKeyFile === undefined),
    message: 'HORARIUM_AGENT_CA_FILE and HORARIUM_AGENT_CA_KEY_FILE need one another',
  },
  {
    holds: ({ agentHeartbeatIntervalSeconds, agentOfflineThresholdSeconds }) =>
      agentOfflineThresholdSeconds >= leastThreshold(agentHeartbeatIntervalSeconds),
    message:
      'AGENT_OFFLINE_THRESHOLD_SECONDS must be at least 2.2 times AGENT_HEARTBEAT_INTERVAL_SECONDS and 16 more, ' +
      'else agents that are well count as offline whenever one heartbeat gets lost',
  },
  {
    holds: ({ agentIdentity, agentProxies }) => agentIdentity === 'tls' || agentProxies.length > 0,
    message:
      'HORARIUM_AGENT_IDENTITY=header needs HORARIUM_AGENT_PROXIES beside it: whoever reaches the port could ' +
      'otherwise show any certificate, without having its key',
  },
];

/** Two beats with their jitter, one flush, one retry: healthy agents must not flap. */
function leastThreshold(intervalSeconds: number): number {
  return Math.ceil(2.2 * intervalSeconds + 16);
}

/** The rules that this configuration breaks. */
export function brokenRules(config: Config): string[] {
  return CHECKS.filter((check) => !check.holds(config)).map((check) => check.message);
}
