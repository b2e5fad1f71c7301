// Use case. Agents that have come or gone since they were last announced: others hear of it.
import type { HeartbeatPolicy } from '../domain/heartbeat';
import type { LastSeen } from '../ports/last-seen';

/** Where there is no agent, the first one is looked for so often. */
const REST_MS = 60_000;

export class AnnouncePresence {
  private quietUntil: number | undefined;
  private lookedAt: number | undefined;
  private restsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly lastSeen: LastSeen,
    private readonly policy: HeartbeatPolicy,
  ) {}

  /**
   * Silent for one threshold after the start, and after every gap in which we could not look ourselves: an outage of
   * ours must not be reported as an outage of the whole fleet.
   */
  async run(now: Date): Promise<{ online: number; offline: number }> {
    const thresholdMs = this.policy.offlineThresholdSeconds * 1_000;
    const time = now.getTime();
    if (this.lookedAt === undefined || time - this.lookedAt > thresholdMs / 2) this.quietUntil = time + thresholdMs;
    if ((this.quietUntil !== undefined && time < this.quietUntil) || time < this.restsUntil) {
      this.lookedAt = time;
      return { online: 0, offline: 0 };
    }
    const { agents, online, offline } = await this.lastSeen.announce(this.policy.offlineThresholdSeconds);
    this.lookedAt = time;
    if (agents === 0) this.restsUntil = time + REST_MS;
    return { online, offline };
  }
}
