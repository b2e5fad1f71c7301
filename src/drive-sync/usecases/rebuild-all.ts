// Compares everything with Drive, tenant by tenant.
import { systemActor, type UserActor } from '../../kernel/actor';
import { NotConnectedError } from '../domain/errors';
import type { JobCounts } from '../domain/listing';
import type { IntegrationRepository } from '../ports/integration-repository';
import type { JobQueue } from '../ports/job-queue';
import type { RebuildTenant } from './rebuild-tenant';

const ACTOR = systemActor('drive: rebuild all');

export interface TenantRebuild {
  readonly tenantId: number;
  readonly projects: number;
  readonly queued: number;
  readonly jobs: JobCounts;
}

/** Compares everything with Drive: an operator's, of all tenants; a manager's, of their own. Again changes nothing. */
export class RebuildAll {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly rebuild: RebuildTenant,
    private readonly queue: JobQueue,
  ) {}

  async run(actor: UserActor, now: Date): Promise<TenantRebuild[]> {
    const result: TenantRebuild[] = [];
    for (const tenantId of await this.tenantsOf(actor)) {
      const { projects, queued } = await this.rebuild.run(tenantId, now);
      result.push({ tenantId, projects, queued, jobs: await this.queue.counts(ACTOR, tenantId) });
    }
    return result;
  }

  /** How far it is. */
  async progress(actor: UserActor): Promise<TenantRebuild[]> {
    const tenants = await this.tenantsOf(actor);
    return Promise.all(
      tenants.map(async (tenantId) => ({
        tenantId,
        projects: 0,
        queued: 0,
        jobs: await this.queue.counts(ACTOR, tenantId),
      })),
    );
  }

  private async tenantsOf(actor: UserActor): Promise<number[]> {
    const connected = (await this.integrations.connected()).map(({ tenantId }) => tenantId);
    if (actor.roles.includes('operator')) return connected;
    if (!connected.includes(actor.tenantId)) throw new NotConnectedError();
    return [actor.tenantId];
  }
}
