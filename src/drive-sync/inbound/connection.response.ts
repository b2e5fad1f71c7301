import { ApiProperty } from '@nestjs/swagger';
import { wireTime, wireTimeOrNull } from '../../platform/protocol/wire-time';
import { INTEGRATION_STATUSES } from '../domain/integration';
import type { ChannelState } from '../usecases/channel-keepers';
import type { ConnectionStatus } from '../usecases/connect-drive';
import type { TenantRebuild } from '../usecases/rebuild-all';
import { JobCountsResponse } from './job.response';

export class AuthorizeResponse {
  @ApiProperty({ description: 'Open it in a browser: Google asks for consent, and sends the browser back here.' })
  readonly url!: string;

  @ApiProperty({ description: 'Until then the consent has to be given.' })
  readonly expires_at!: string;
}

export class ChannelStateResponse {
  @ApiProperty({ enum: ['none', 'active', 'failing', 'expired'], description: 'Not active: the feed is polled.' })
  readonly state: string;

  @ApiProperty({ type: String, nullable: true })
  readonly expires_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly error: string | null;

  constructor({ state, expiresAt, error }: ChannelState) {
    this.state = state;
    this.expires_at = wireTimeOrNull(expiresAt);
    this.error = error;
  }
}

export class ConnectionResponse {
  @ApiProperty({ enum: INTEGRATION_STATUSES })
  readonly status: string;

  @ApiProperty({ type: String, nullable: true, example: 'compliance@example.com' })
  readonly account: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The shared drive; null: My Drive.' })
  readonly drive_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly root_folder_id: string | null;

  @ApiProperty({ type: ChannelStateResponse })
  readonly channel: ChannelStateResponse;

  @ApiProperty({ type: JobCountsResponse })
  readonly jobs: JobCountsResponse;

  @ApiProperty({ type: String, nullable: true, description: 'When the change feed was read to its end.' })
  readonly last_sync_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly last_error: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Drive asked for a pause until then.' })
  readonly slow_until: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly connected_by: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly connected_at: string | null;

  constructor({ integration, channel, jobs }: ConnectionStatus) {
    this.status = integration?.status ?? 'DISCONNECTED';
    this.account = integration?.accountEmail ?? null;
    this.drive_id = integration?.driveId ?? null;
    this.root_folder_id = integration?.rootFolderId ?? null;
    this.channel = new ChannelStateResponse(channel);
    this.jobs = new JobCountsResponse(jobs);
    this.last_sync_at = wireTimeOrNull(integration?.lastSyncAt ?? null);
    this.last_error = integration?.lastError ?? null;
    this.slow_until = wireTimeOrNull(integration?.slowUntil ?? null);
    this.connected_by = integration?.connectedBy ?? null;
    this.connected_at = wireTimeOrNull(integration?.connectedAt ?? null);
  }
}

export class DisconnectedResponse {
  @ApiProperty({ example: 'DISCONNECTED' })
  readonly status!: 'DISCONNECTED';
}

export class TenantRebuildResponse {
  @ApiProperty()
  readonly tenant_id: number;

  @ApiProperty({ description: 'Projects that are compared.' })
  readonly projects: number;

  @ApiProperty({ description: 'Jobs that were queued by this request; those that waited already are not.' })
  readonly queued: number;

  @ApiProperty({ type: JobCountsResponse, description: 'How far it is: nothing pending or in progress means done.' })
  readonly jobs: JobCountsResponse;

  constructor(rebuild: TenantRebuild) {
    this.tenant_id = rebuild.tenantId;
    this.projects = rebuild.projects;
    this.queued = rebuild.queued;
    this.jobs = new JobCountsResponse(rebuild.jobs);
  }
}

export class RebuildResponse {
  @ApiProperty({ type: [TenantRebuildResponse] })
  readonly tenants: TenantRebuildResponse[];

  @ApiProperty({ description: 'Jobs of these tenants that wait or are worked on.' })
  readonly remaining: number;

  constructor(rebuilds: readonly TenantRebuild[]) {
    this.tenants = rebuilds.map((one) => new TenantRebuildResponse(one));
    this.remaining = this.tenants.reduce((sum, { jobs }) => sum + jobs.pending + jobs.in_progress, 0);
  }
}

export function authorizeResponse({ url, expiresAt }: { url: string; expiresAt: Date }): AuthorizeResponse {
  return { url, expires_at: wireTime(expiresAt) };
}
