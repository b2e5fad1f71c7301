// Remote agents. Where port meets adapter. Needs Config, Sessions, Clock, Ids, Sealing, SealedColumns and Metrics from
// global modules.
import {
  type BeforeApplicationShutdown,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { AgentRunModule, ClaimRun, FetchableAssistants, ReportRun } from '../agent-run';
import { AddEvidence, EvidenceModule } from '../evidence';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { token } from '../kernel/token';
import { Config } from '../platform/config/config';
import { SealedColumns, Sealing } from '../platform/crypto';
import { Metrics } from '../platform/metrics/metrics';
import { Sessions } from '../platform/persistence/sessions';
import { bind, construct, provide } from '../platform/wiring';
import { Attempts } from './domain/attempts';
import type { CertificatePolicy } from './domain/certificate';
import type { HeartbeatPolicy } from './domain/heartbeat';
import { AgentDoorController } from './inbound/agent-door.controller';
import { AgentEvidenceController } from './inbound/agent-evidence.controller';
import { AgentWorkController, ReportLimit } from './inbound/agent-work.controller';
import { AgentListener } from './inbound/agent-listener';
import { AgentMetrics } from './inbound/agent-metrics';
import { AuthorityController } from './inbound/authority.controller';
import { EnrollmentController } from './inbound/enrollment.controller';
import { EnrollmentTokensController } from './inbound/enrollment-tokens.controller';
import { RemoteAgentsController } from './inbound/remote-agents.controller';
import { AgentRunWork } from './outbound/agent-run-work';
import { AUTHORITY_KEYS, type AuthorityKeyring, StoredAuthorities } from './outbound/stored-authorities';
import { EvidenceOfAgents } from './outbound/evidence-of-agents';
import { GivenAuthorities } from './outbound/given-authorities';
import { GivenServerIdentity } from './outbound/given-server-identity';
import { IssuedServerIdentity } from './outbound/issued-server-identity';
import { RandomTokenSecrets } from './outbound/random-token-secrets';
import { SqlAgentRepository } from './outbound/sql-agent-repository';
import { SqlEnrollmentTokens } from './outbound/sql-enrollment-tokens';
import { SqlLastSeen } from './outbound/sql-last-seen';
import { X509CertificateAuthority } from './outbound/x509-certificate-authority';
import { AgentRepository } from './ports/agent-repository';
import { CertificateAuthority } from './ports/certificate-authority';
import { EnrollmentTokens } from './ports/enrollment-tokens';
import { EvidenceIntake } from './ports/evidence-intake';
import { LastSeen } from './ports/last-seen';
import { ServerIdentity } from './ports/server-identity';
import { TokenSecrets } from './ports/token-secrets';
import { Work } from './ports/work';
import { AgentUpkeep } from './usecases/agent-upkeep';
import { AnnouncePresence } from './usecases/announce-presence';
import { AuthenticateAgent } from './usecases/authenticate-agent';
import { CreateEnrollmentToken } from './usecases/create-enrollment-token';
import { ReadDoorCredentials } from './usecases/read-door-credentials';
import { type DoorAddress, DoorWhereabouts } from './usecases/door-whereabouts';
import { EnrollAgent } from './usecases/enroll-agent';
import { EnrollmentTokensOfTenant } from './usecases/enrollment-tokens-of-tenant';
import { FetchWork } from './usecases/fetch-work';
import { IssueCertificate } from './usecases/issue-certificate';
import { ManageAgents } from './usecases/manage-agents';
import { ManageAuthority } from './usecases/manage-authority';
import { PruneAgents } from './usecases/prune-agents';
import { RecordHeartbeat } from './usecases/record-heartbeat';
import { RenewCertificate } from './usecases/renew-certificate';
import { ReportWork } from './usecases/report-work';
import { TakeEvidence } from './usecases/take-evidence';

/** Lookups of certificates wait this long for company. */
const LOOKUPS = { windowMs: 2, max: 1_000 };
const ATTEMPTS = { burst: 40, perMinute: 20 };

const Certificates = token<CertificatePolicy>('CertificatePolicy');
const Heartbeats = token<HeartbeatPolicy>('HeartbeatPolicy');
const Keyring = token<AuthorityKeyring>('AuthorityKeyring');
const Address = token<DoorAddress>('DoorAddress');
const Chance = token<() => number>('Chance');
/** The same part as the port CertificateAuthority: it also signs for the port for agents. */
const Authority = token<X509CertificateAuthority>('X509CertificateAuthority');

@Module({
  // The last one takes any id: those with words of their own stand before it.
  imports: [AgentRunModule, EvidenceModule],
  controllers: [
    AgentDoorController,
    AgentWorkController,
    AgentEvidenceController,
    EnrollmentController,
    EnrollmentTokensController,
    AuthorityController,
    RemoteAgentsController,
  ],
  providers: [
    provide(Certificates, certificatePolicy, [Config]),
    provide(Heartbeats, heartbeatPolicy, [Config]),
    provide(Chance, () => Math.random, []),
    provide(Attempts, () => new Attempts(ATTEMPTS), []),
    provide(Keyring, keyring, [Config, Sessions, Sealing, Ids]),
    provide(Authority, (keys: AuthorityKeyring) => new X509CertificateAuthority(keys), [Keyring]),
    provide(CertificateAuthority, (authority: X509CertificateAuthority) => authority, [Authority]),
    provide(ServerIdentity, serverIdentity, [Config, Authority]),
    provide(AgentRepository, agentRepository, [Sessions, Config]),
    bind(EnrollmentTokens, SqlEnrollmentTokens, [Sessions]),
    bind(TokenSecrets, RandomTokenSecrets, []),
    bind(LastSeen, SqlLastSeen, [Sessions]),
    construct(IssueCertificate, [CertificateAuthority, AgentRepository, Certificates]),
    construct(CreateEnrollmentToken, [EnrollmentTokens, AgentRepository, TokenSecrets, Ids]),
    construct(EnrollmentTokensOfTenant, [EnrollmentTokens]),
    construct(EnrollAgent, [EnrollmentTokens, TokenSecrets, CertificateAuthority, IssueCertificate, Attempts, Ids]),
    construct(RenewCertificate, [CertificateAuthority, AgentRepository, IssueCertificate, Attempts, Certificates]),
    construct(AuthenticateAgent, [AgentRepository, CertificateAuthority]),
    construct(AgentMetrics, [Metrics]),
    construct(RecordHeartbeat, [LastSeen, Heartbeats, AgentMetrics, Chance]),
    construct(AnnouncePresence, [LastSeen, Heartbeats]),
    construct(PruneAgents, [AgentRepository, Certificates]),
    construct(AgentUpkeep, [RecordHeartbeat, AuthenticateAgent, AnnouncePresence, PruneAgents]),
    construct(ManageAgents, [AgentRepository]),
    construct(ManageAuthority, [CertificateAuthority, Certificates]),
    construct(ReadDoorCredentials, [ServerIdentity, CertificateAuthority]),
    bind(Work, AgentRunWork, [FetchableAssistants, ClaimRun, ReportRun]),
    construct(FetchWork, [Work, AuthenticateAgent, Clock]),
    construct(ReportWork, [Work]),
    bind(EvidenceIntake, EvidenceOfAgents, [AddEvidence]),
    construct(TakeEvidence, [EvidenceIntake]),
    provide(ReportLimit, ({ maxBodyKib }: Config) => new ReportLimit(maxBodyKib * 1_024), [Config]),
    provide(Address, doorAddress, [Config]),
    construct(DoorWhereabouts, [Address, ServerIdentity]),
    provide(AgentListener, listener, [Config, AuthenticateAgent, ReadDoorCredentials, AgentMetrics, Clock]),
  ],
  exports: [AgentUpkeep, AgentListener],
})
export class RemoteAgentModule implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('AgentListener');

  constructor(
    private readonly config: Config,
    private readonly columns: SealedColumns,
    private readonly adapter: HttpAdapterHost,
    private readonly listener: AgentListener,
    private readonly upkeep: AgentUpkeep,
    private readonly whereabouts: DoorWhereabouts,
    private readonly heartbeats: RecordHeartbeat,
    private readonly metrics: AgentMetrics,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.columns.add(AUTHORITY_KEYS);
  }

  /** When every route is known. */
  async onApplicationBootstrap(): Promise<void> {
    // Making the application for its documentation only has neither settings nor an address.
    if (this.config.agentPort === undefined) return;
    const application =
      this.adapter.httpAdapter.getInstance<(request: IncomingMessage, response: ServerResponse) => void>();
    await this.listener.open(application);
    this.upkeep.serve(this.listener);
    this.whereabouts.serve(this.listener);
    this.metrics.watch(() => this.listener.connections());
    this.logger.log(`Agents are let in on ${this.config.agentHost}:${this.listener.port}`);
  }

  /** Before the database is closed: the last beats are written. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.listener.close();
    await this.heartbeats.flush(this.clock.now()).catch((error: unknown) => {
      this.logger.warn(`The last heartbeats were not written: ${String(error)}`);
    });
  }
}

function certificatePolicy({ agentCertificateSeconds, agentRecoverySeconds }: Config): CertificatePolicy {
  return { lifeSeconds: agentCertificateSeconds, recoverySeconds: agentRecoverySeconds };
}

function heartbeatPolicy({ agentHeartbeatIntervalSeconds, agentOfflineThresholdSeconds }: Config): HeartbeatPolicy {
  return { intervalSeconds: agentHeartbeatIntervalSeconds, offlineThresholdSeconds: agentOfflineThresholdSeconds };
}

function keyring(
  { agentCaFile, agentCaKeyFile }: Config,
  sessions: Sessions,
  sealing: Sealing,
  ids: Ids,
): AuthorityKeyring {
  return agentCaFile !== undefined && agentCaKeyFile !== undefined
    ? GivenAuthorities.read(agentCaFile, agentCaKeyFile)
    : new StoredAuthorities(sessions, sealing, ids);
}

function agentRepository(sessions: Sessions, { agentOfflineThresholdSeconds }: Config): AgentRepository {
  return new SqlAgentRepository(sessions, agentOfflineThresholdSeconds, LOOKUPS);
}

function serverIdentity(config: Config, authority: X509CertificateAuthority): ServerIdentity {
  const { agentTlsCertFile, agentTlsKeyFile } = config;
  return agentTlsCertFile !== undefined && agentTlsKeyFile !== undefined
    ? new GivenServerIdentity(agentTlsCertFile, agentTlsKeyFile)
    : new IssuedServerIdentity(authority, namesOf(config));
}

/** Under which agents may find the port. */
function namesOf({ agentHost, agentUrl, publicUrl }: Config): string[] {
  const anywhere = ['0.0.0.0', '::'];
  const hosts = [publicUrl, ...(agentUrl === undefined ? [] : [agentUrl])].map((url) => new URL(url).hostname);
  const names = [...hosts.map((host) => host.replace(/^\[|\]$/g, '')), agentHost, hostname(), 'localhost'];
  return [...new Set([...names.filter((name) => !anywhere.includes(name)), '127.0.0.1', '::1'])];
}

function doorAddress({ agentUrl, publicUrl, agentPort, agentHeartbeatIntervalSeconds }: Config): DoorAddress {
  const url = (door: { readonly port?: number | undefined }): string =>
    agentUrl ?? `https://${new URL(publicUrl).hostname}:${door.port ?? agentPort}`;
  return { url, heartbeatIntervalSeconds: agentHeartbeatIntervalSeconds };
}

function listener(
  config: Config,
  authentication: AuthenticateAgent,
  credentials: ReadDoorCredentials,
  metrics: AgentMetrics,
  clock: Clock,
): AgentListener {
  const { agentHost: host, agentPort: port = 0, agentIdentity, agentIdentityHeader, agentProxies } = config;
  const settings = {
    host,
    port,
    heartbeatIntervalSeconds: config.agentHeartbeatIntervalSeconds,
    ...(agentIdentity === 'tls' ? {} : { proxy: { header: agentIdentityHeader, networks: agentProxies } }),
  };
  return new AgentListener(settings, authentication, credentials, metrics, clock);
}
