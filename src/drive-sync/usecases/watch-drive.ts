// For the feature that keeps push channels: which drives there are to watch, and Drive's two calls for it. What a failure
// says of the connection is heeded here.
import { systemActor } from '../../kernel/actor';
import { connectionVerdict, errorText } from '../domain/retry';
import type { Integration } from '../domain/integration';
import type { Drives } from '../ports/drive';
import type { IntegrationRepository } from '../ports/integration-repository';
import type { ConnectionLost } from './connection-lost';

const ACTOR = systemActor('drive: channels');

export interface WatchedDrive {
  readonly tenantId: number;
  readonly generation: number;
  readonly driveId: string | null;
}

export interface WatchAsk {
  readonly id: string;
  readonly address: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export class WatchDrive {
  constructor(
    private readonly integrations: IntegrationRepository,
    private readonly drives: Drives,
    private readonly lost: ConnectionLost,
  ) {}

  async connected(): Promise<WatchedDrive[]> {
    return (await this.integrations.connected()).map(watched);
  }

  async one(tenantId: number): Promise<WatchedDrive | null> {
    const found = await this.integrations.find(ACTOR, tenantId);
    return found?.status === 'CONNECTED' ? watched(found) : null;
  }

  /** @throws DriveProblemError */
  async watch({ tenantId }: WatchedDrive, ask: WatchAsk, now: Date): Promise<{ resourceId: string; expiresAt: Date }> {
    const integration = await this.integrations.find(ACTOR, tenantId);
    const drive = await this.drives.of(tenantId);
    try {
      const pageToken = integration?.pageToken ?? (await drive.startPageToken());
      return await drive.watch({ ...ask, pageToken });
    } catch (error) {
      if (connectionVerdict(error) === 'reconnect')
        await this.lost.run(tenantId, drive.generation, errorText(error), now);
      throw error;
    }
  }

  /** One that Drive does not know any more is stopped. */
  async stop(tenantId: number, channelId: string, resourceId: string): Promise<void> {
    const drive = await this.drives.of(tenantId);
    await drive.stopChannel(channelId, resourceId);
  }
}

function watched({ tenantId, generation, driveId }: Integration): WatchedDrive {
  return { tenantId, generation, driveId };
}
