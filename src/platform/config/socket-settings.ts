// Platform, configuration. The settings of live connections. A part of config.ts, which reads as one class.
import { ComplianceSettings } from './compliance-settings';
import { Setting } from './setting';
import { address, line, wholeNumber } from './setting-kinds';

export class SocketSettings extends ComplianceSettings {
  @Setting({
    env: 'REDIS_URL',
    kind: address('redis:', 'rediss:'),
    secret: true,
    group: 'Live connections',
    doc: 'Your Redis, 6.2 or newer, for several processes that serve sockets. Without it, one process does.',
  })
  readonly redisUrl?: string;

  @Setting({
    env: 'HORARIUM_REDIS_PREFIX',
    kind: line({ max: 64, allowed: '1 to 64 characters on one line' }),
    default: 'horarium',
    group: 'Live connections',
    doc: 'What its keys begin with. Houses that share a Redis have one each.',
  })
  readonly redisPrefix!: string;

  @Setting({
    env: 'HORARIUM_SOCKET_MAX_CONNECTIONS',
    kind: wholeNumber(1, 1_000_000),
    default: '10000',
    group: 'Live connections',
    doc: 'The most socket connections of this process; further ones are refused.',
  })
  readonly socketMaxConnections!: number;
}
