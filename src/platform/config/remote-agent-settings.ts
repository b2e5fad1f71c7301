// Platform, configuration. The settings of remote agents; a part of Config.
import { DriveSettings } from './drive-settings';
import { Setting } from './setting';
import { host, networks, oneOf, origin, path, wholeNumber } from './setting-kinds';

const DAY = 86_400;

export class RemoteAgentSettings extends DriveSettings {
  @Setting({
    env: 'HORARIUM_AGENT_PORT',
    kind: wholeNumber(0, 65_535),
    group: 'Remote agents',
    doc: 'The port for remote agents (TLS with client certificates). Without it there is none; 0 takes any free one.',
  })
  readonly agentPort?: number;

  @Setting({
    env: 'HORARIUM_AGENT_HOST',
    kind: host,
    default: '127.0.0.1',
    group: 'Remote agents',
    doc: 'What that port listens on. `0.0.0.0` opens it to the network.',
  })
  readonly agentHost!: string;

  @Setting({
    env: 'HORARIUM_AGENT_URL',
    kind: origin,
    group: 'Remote agents',
    doc: 'Where agents find that port. Without it: https, the host of PUBLIC_URL, HORARIUM_AGENT_PORT.',
  })
  readonly agentUrl?: string;

  @Setting({
    env: 'HORARIUM_AGENT_TLS_CERT_FILE',
    kind: path,
    group: 'Remote agents',
    doc: 'A certificate (PEM, with its chain) for that port, from an authority that agents trust anyway.',
  })
  readonly agentTlsCertFile?: string;

  @Setting({
    env: 'HORARIUM_AGENT_TLS_KEY_FILE',
    kind: path,
    group: 'Remote agents',
    doc: 'Its key. Without the two, the authority for agents signs one.',
  })
  readonly agentTlsKeyFile?: string;

  @Setting({
    env: 'HORARIUM_AGENT_CA_FILE',
    kind: path,
    group: 'Remote agents',
    doc: 'Your own authority for agents: certificates in PEM, the first of which signs. Without it one is made.',
  })
  readonly agentCaFile?: string;

  @Setting({
    env: 'HORARIUM_AGENT_CA_KEY_FILE',
    kind: path,
    group: 'Remote agents',
    doc: 'The key of the first of them (PEM; RSA, EC P-256 or P-384).',
  })
  readonly agentCaKeyFile?: string;

  @Setting({
    env: 'HORARIUM_AGENT_CERTIFICATE_SECONDS',
    kind: wholeNumber(60, 365 * DAY),
    default: String(7 * DAY),
    group: 'Remote agents',
    doc: "How long an agent's certificate is good. It is renewed at half of that.",
  })
  readonly agentCertificateSeconds!: number;

  @Setting({
    env: 'HORARIUM_AGENT_RECOVERY_SECONDS',
    kind: wholeNumber(0, 365 * DAY),
    default: String(14 * DAY),
    group: 'Remote agents',
    doc: 'How long after its end an agent that still has its key gets a new one; 0: never.',
  })
  readonly agentRecoverySeconds!: number;

  @Setting({
    env: 'AGENT_HEARTBEAT_INTERVAL_SECONDS',
    kind: wholeNumber(1, 3_600),
    default: '30',
    group: 'Remote agents',
    doc: 'How often agents say that they are there.',
  })
  readonly agentHeartbeatIntervalSeconds!: number;

  @Setting({
    env: 'AGENT_OFFLINE_THRESHOLD_SECONDS',
    kind: wholeNumber(2, 86_400),
    default: '120',
    group: 'Remote agents',
    doc: 'After this long without a word an agent counts as offline.',
  })
  readonly agentOfflineThresholdSeconds!: number;

  @Setting({
    env: 'HORARIUM_AGENT_IDENTITY',
    kind: oneOf('tls', 'header'),
    default: 'tls',
    group: 'Remote agents',
    doc: '`header`: a proxy in front ends TLS and hands the certificate on; the port then speaks plain HTTP.',
  })
  readonly agentIdentity!: 'tls' | 'header';

  @Setting({
    env: 'HORARIUM_AGENT_IDENTITY_HEADER',
    kind: oneOf('client-cert', 'x-client-cert', 'x-ssl-client-cert'),
    default: 'client-cert',
    group: 'Remote agents',
    doc: 'The header that carries it: as RFC 9440 says, or PEM, URL-encoded.',
  })
  readonly agentIdentityHeader!: 'client-cert' | 'x-client-cert' | 'x-ssl-client-cert';

  @Setting({
    env: 'HORARIUM_AGENT_PROXIES',
    kind: networks,
    default: { words: 'none', from: () => '' },
    group: 'Remote agents',
    doc: 'The proxies from which that header is believed.',
  })
  readonly agentProxies!: readonly string[];
}
