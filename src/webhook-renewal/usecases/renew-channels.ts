// Keeps a channel open for every connected drive: the new one first, then the old one is stopped. What failed is tried
// again within the hour.
import type { Channel, ChannelPolicy } from '../domain/channel';
import { holds } from '../domain/channel';
import type { ChannelRepository } from '../ports/channel-repository';
import type { ChannelSecrets } from '../ports/channel-secrets';
import type { RenewalLog } from '../ports/renewal-log';
import type { Watched, Watcher } from '../ports/watcher';

const RETRY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;

export interface Renewal {
  readonly tenantId: number;
  readonly outcome: 'kept' | 'renewed' | 'failed';
  readonly error: string | null;
}

export class RenewChannels {
  constructor(
    private readonly channels: ChannelRepository,
    private readonly watcher: Watcher,
    private readonly secrets: ChannelSecrets,
    private readonly log: RenewalLog,
    private readonly policy: ChannelPolicy,
  ) {}

  /** Answers when to look again, when something failed. */
  async run(now: Date): Promise<Date | null> {
    const done = await this.all(now);
    await this.channels.forget(new Date(now.getTime() - KEPT_MS));
    return done.some(({ outcome }) => outcome === 'failed') ? new Date(now.getTime() + RETRY_MS) : null;
  }

  /** One tenant's failure is no other's. */
  async all(now: Date, anyway = false): Promise<Renewal[]> {
    const done: Renewal[] = [];
    for (const watched of await this.watcher.connected()) done.push(await this.one(watched, now, anyway));
    return done;
  }

  /** @param anyway a new one, also when the old one holds */
  async one(watched: Watched, now: Date, anyway = false): Promise<Renewal> {
    const { tenantId } = watched;
    const open = await this.channels.open(tenantId, now);
    if (!anyway && open.some((channel) => holds(channel, watched, this.policy, now))) {
      return { tenantId, outcome: 'kept', error: null };
    }
    const error = await this.open(watched, now);
    if (error !== null) {
      const until = latest(open);
      this.log.warn(`Tenant ${tenantId} has no new channel: ${error}`);
      await this.log.atRisk(tenantId, error, until, now);
      return { tenantId, outcome: 'failed', error };
    }
    for (const old of open) await this.close(old, now);
    // Whatever happened while no channel was open is read now.
    await this.watcher.changed(tenantId, now);
    return { tenantId, outcome: 'renewed', error: null };
  }

  async connected(tenantId: number, now: Date): Promise<void> {
    const watched = await this.watcher.one(tenantId);
    if (watched !== null) await this.one(watched, now);
  }

  /** While the grant works. */
  async closeAll(tenantId: number, now: Date): Promise<void> {
    for (const channel of await this.channels.open(tenantId, now)) await this.close(channel, now);
  }

  /** Null: it is open. */
  private async open({ tenantId, generation, driveId }: Watched, now: Date): Promise<string | null> {
    const id = this.secrets.id();
    const token = this.secrets.token();
    const expiresAt = new Date(now.getTime() + this.policy.ttlMs);
    const known = { resourceId: null, messages: 0, lastMessageAt: null, lastError: null } as const;
    await this.channels.begin(
      { id, tenantId, generation, driveId, state: 'creating', expiresAt, createdAt: now, ...known },
      token,
    );
    try {
      const address = this.policy.address(tenantId);
      const given = await this.watcher.watch({ tenantId, generation, driveId }, { id, address, token, expiresAt }, now);
      await this.channels.opened(id, given.resourceId, given.expiresAt);
      return null;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      await this.channels.failed(id, text, now);
      return text;
    }
  }

  private async close(channel: Channel, now: Date): Promise<void> {
    try {
      if (channel.resourceId !== null) await this.watcher.stop(channel.tenantId, channel.id, channel.resourceId);
    } catch (error) {
      // It ends by itself; its messages until then are welcome.
      this.log.warn(
        `Channel ${channel.id} could not be stopped: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    await this.channels.stopped(channel.id, now);
  }
}

function latest(channels: readonly Channel[]): Date | null {
  return channels.reduce<Date | null>(
    (last, { expiresAt }) => (last === null || expiresAt > last ? expiresAt : last),
    null,
  );
}
