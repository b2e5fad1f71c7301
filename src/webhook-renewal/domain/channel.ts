// Domain: a push channel. Drive has no renewal: a channel ends, and another one has to be there before that.

export const CHANNEL_STATES = ['creating', 'active', 'stopped', 'failed'] as const;
export type ChannelLife = (typeof CHANNEL_STATES)[number];

export interface Channel {
  readonly id: string;
  readonly tenantId: number;
  /** Of the connection that it was made under. */
  readonly generation: number;
  readonly driveId: string | null;
  /** From Drive's answer, or from the first message, whichever came first. */
  readonly resourceId: string | null;
  readonly state: ChannelLife;
  readonly expiresAt: Date;
  readonly messages: number;
  readonly lastMessageAt: Date | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
}

export interface ChannelPolicy {
  readonly windowMs: number;
  readonly ttlMs: number;
  /** `{tenant}` stands for the tenant. */
  readonly address: (tenantId: number) => string;
}

/** Good for long enough, for this connection and this drive. */
export function holds(
  channel: Channel,
  watched: { readonly generation: number; readonly driveId: string | null },
  { windowMs }: ChannelPolicy,
  now: Date,
): boolean {
  return (
    channel.state === 'active' &&
    channel.generation === watched.generation &&
    channel.driveId === watched.driveId &&
    channel.expiresAt.getTime() > now.getTime() + windowMs
  );
}

/** How a message names itself. */
export interface Notice {
  readonly tenantId: number;
  readonly channelId: string;
  readonly resourceId: string;
  readonly token: string;
  readonly state: string;
}
