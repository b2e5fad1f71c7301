// Port: the channels.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Channel, Notice } from '../domain/channel';

export interface ChannelRepository {
  /** Stored before Drive is asked: its first message may be faster than its answer. */
  begin(channel: Channel, token: string): Promise<void>;
  opened(id: string, resourceId: string, expiresAt: Date): Promise<void>;
  failed(id: string, error: string, now: Date): Promise<void>;
  stopped(id: string, now: Date): Promise<void>;
  /** Those that Drive may still send for. */
  open(tenantId: number, now: Date): Promise<Channel[]>;
  /** Newest first. */
  list(actor: Actor, limit: number): Promise<Channel[]>;
  latest(tenantId: number): Promise<Channel | null>;
  /**
   * Whether a message is of one of our channels: id, token (compared in constant time), and resource, which the first
   * message tells when Drive's answer has not yet. One that is over for less than a day is ours, too.
   */
  recognise(notice: Notice, now: Date): Promise<boolean>;
  /** Removes channels that ended before. */
  forget(before: Date): Promise<void>;
}

export const ChannelRepository = token<ChannelRepository>('ChannelRepository');
