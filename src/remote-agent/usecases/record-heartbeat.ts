// Use case. "I am here." Kept in memory and written together each second: one row at a time cannot carry a fleet.
import { type Beat, type HeartbeatPolicy, nextHeartbeatSeconds, reconnectSpreadSeconds } from '../domain/heartbeat';
import type { LastSeen } from '../ports/last-seen';
import type { AgentActor } from './authenticate-agent';

export interface HeartbeatAnswer {
  readonly serverTime: Date;
  readonly nextHeartbeatSeconds: number;
  readonly reconnectSpreadSeconds: number;
  readonly renew: boolean;
}

export interface FlushFacts {
  /** The written beats, the oldest of which waited this long. */
  flushed(beats: number, oldestWaitedMs: number): void;
}

/** Of one statement. */
const MOST = 5_000;

export class RecordHeartbeat {
  private waiting = new Map<string, Beat>();
  /** Who was heard of lately: about how many would come back after a restart. */
  private recently = new Set<string>();
  private before = new Set<string>();
  private turnedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly lastSeen: LastSeen,
    private readonly policy: HeartbeatPolicy,
    private readonly facts: FlushFacts,
    private readonly chance: () => number,
  ) {}

  run(agent: AgentActor, agentTime: Date | undefined, now: Date): HeartbeatAnswer {
    const clockSkewMs = agentTime === undefined ? null : agentTime.getTime() - now.getTime();
    this.waiting.set(agent.agentId, { agentId: agent.agentId, at: now, clockSkewMs });
    this.recently.add(agent.agentId);
    return {
      serverTime: now,
      nextHeartbeatSeconds: nextHeartbeatSeconds(this.policy, this.chance()),
      reconnectSpreadSeconds: reconnectSpreadSeconds(this.policy, Math.max(this.recently.size, this.before.size)),
      renew: agent.shouldRenew,
    };
  }

  /** What cannot be written waits for the next flush, unless something newer is there by then. */
  async flush(now: Date): Promise<void> {
    this.turn(now);
    const taken = this.waiting;
    if (taken.size === 0) return;
    this.waiting = new Map();
    const beats = [...taken.values()];
    try {
      for (let start = 0; start < beats.length; start += MOST) {
        const some = beats.slice(start, start + MOST);
        await this.lastSeen.write(some);
        for (const { agentId } of some) taken.delete(agentId);
      }
    } catch (error) {
      for (const [agentId, beat] of taken) if (!this.waiting.has(agentId)) this.waiting.set(agentId, beat);
      throw error;
    }
    const oldest = beats.reduce((least, { at }) => Math.min(least, at.getTime()), now.getTime());
    this.facts.flushed(beats.length, now.getTime() - oldest);
  }

  private turn(now: Date): void {
    if (now.getTime() - this.turnedAt < 2_000 * this.policy.intervalSeconds) return;
    this.turnedAt = now.getTime();
    this.before = this.recently;
    this.recently = new Set();
  }
}
