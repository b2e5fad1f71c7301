// Channels for people: the list for operators, and one word for a connection's page.
import type { Actor } from '../../kernel/actor';
import type { Channel } from '../domain/channel';
import type { ChannelRepository } from '../ports/channel-repository';

export interface ChannelSummary {
  readonly state: 'none' | 'active' | 'failing' | 'expired';
  readonly expiresAt: Date | null;
  readonly error: string | null;
}

export class ReadChannels {
  constructor(private readonly channels: ChannelRepository) {}

  list(actor: Actor, limit: number): Promise<Channel[]> {
    return this.channels.list(actor, limit);
  }

  async summary(tenantId: number, now: Date): Promise<ChannelSummary> {
    const active = (await this.channels.open(tenantId, now)).filter(({ state }) => state === 'active');
    const latest = await this.channels.latest(tenantId);
    const error = latest?.state === 'failed' ? latest.lastError : null;
    const best = active.reduce<Channel | null>(
      (last, one) => (last === null || one.expiresAt > last.expiresAt ? one : last),
      null,
    );
    if (best !== null) return { state: error === null ? 'active' : 'failing', expiresAt: best.expiresAt, error };
    if (latest === null || latest.state === 'stopped') return { state: 'none', expiresAt: null, error };
    return {
      state: error === null ? 'expired' : 'failing',
      expiresAt: error === null ? latest.expiresAt : null,
      error,
    };
  }
}
