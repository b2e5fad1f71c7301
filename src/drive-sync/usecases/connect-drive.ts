// A tenant's connection: begun, completed when the browser comes back, shown, ended.
import { systemActor, type UserActor } from '../../kernel/actor';
import { ConsentRefusedError, ConsentUnknownError, NotConnectedError } from '../domain/errors';
import type { Integration } from '../domain/integration';
import type { JobCounts } from '../domain/listing';
import type { Consents } from '../ports/consents';
import type { IntegrationRepository } from '../ports/integration-repository';
import type { JobQueue } from '../ports/job-queue';
import type { WorkerWake } from '../ports/worker-wake';
import type { ChannelKeepers, ChannelState } from './channel-keepers';
import type { RebuildTenant } from './rebuild-tenant';

const ACTOR = systemActor('drive: connection');
const CONSENT_SECONDS = 600;

export interface ConnectionStatus {
  readonly integration: Integration | null;
  readonly channel: ChannelState;
  readonly jobs: JobCounts;
}

export interface CallbackInput {
  readonly state: string;
  readonly code?: string;
  readonly error?: string;
}

export class ConnectDrive {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly consents: Consents,
    private readonly queue: JobQueue,
    private readonly channels: ChannelKeepers,
    private readonly rebuild: RebuildTenant,
    private readonly wake: WorkerWake,
  ) {}

  /** Where the person's browser goes. Only this consent, soon and once, connects this person's tenant. */
  async authorize(actor: UserActor, driveId: string | null, now: Date): Promise<{ url: string; expiresAt: Date }> {
    const secrets = this.consents.secrets();
    const url = this.consents.url(secrets);
    const expiresAt = new Date(now.getTime() + CONSENT_SECONDS * 1_000);
    const { tenantId, userId } = actor;
    const consent = { tenantId, userId, driveId, verifier: secrets.verifier };
    await this.integrations.beginConsent(actor, secrets.state, consent, expiresAt);
    return { url, expiresAt };
  }

  async callback({ state, code, error }: CallbackInput, now: Date): Promise<Integration> {
    const consent = await this.integrations.takeConsent(state, now);
    if (consent === null) throw new ConsentUnknownError();
    if (code === undefined) throw new ConsentRefusedError(error ?? 'no code');
    const grant = await this.consents.redeem(code, consent.verifier, consent.driveId);
    const integration = await this.integrations.connect(consent, grant, now);
    await this.rebuild.run(consent.tenantId, now);
    await this.channels.opened(consent.tenantId, now);
    // What had to wait for a connection waited already, and was not queued again.
    this.wake.wake();
    return integration;
  }

  async status(actor: UserActor, now: Date): Promise<ConnectionStatus> {
    const { tenantId } = actor;
    const [integration, channel, jobs] = await Promise.all([
      this.integrations.find(actor, tenantId),
      this.channels.state(tenantId, now),
      this.queue.counts(actor),
    ]);
    return { integration, channel, jobs };
  }

  /** Channels are stopped and the grant is revoked while it works; jobs stay where they are, and wait. */
  async disconnect(actor: UserActor, now: Date): Promise<void> {
    const { tenantId } = actor;
    const integration = await this.integrations.find(ACTOR, tenantId);
    if (integration === null || integration.status === 'DISCONNECTED') throw new NotConnectedError();
    await this.channels.closing(tenantId, now);
    await this.consents.revoke(tenantId);
    await this.integrations.disconnect(actor, tenantId, now);
  }
}
