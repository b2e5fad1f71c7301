// Domain. How often agents are heard of, and from when on they count as offline.

export interface HeartbeatPolicy {
  readonly intervalSeconds: number;
  readonly offlineThresholdSeconds: number;
}

export interface Beat {
  readonly agentId: string;
  readonly at: Date;
  readonly clockSkewMs: number | null;
}

/** At most this many agents a second come back after a restart, whatever their number. */
const RETURNING_PER_SECOND = 300;
const JITTER = 0.1;

/** The interval, give or take a tenth. `chance` lies between 0 and 1. */
export function nextHeartbeatSeconds({ intervalSeconds }: HeartbeatPolicy, chance: number): number {
  return Math.round(intervalSeconds * (1 - JITTER + 2 * JITTER * chance) * 10) / 10;
}

/** Over how many seconds agents spread themselves when they lost the server. */
export function reconnectSpreadSeconds({ intervalSeconds }: HeartbeatPolicy, agents: number): number {
  return Math.max(intervalSeconds, Math.ceil(agents / RETURNING_PER_SECOND));
}
