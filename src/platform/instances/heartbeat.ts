// Platform, instances. Says every two seconds that this process lives (the rhythm is a row of the timetable), and
// measures the house's clock on the same occasion.
import { Logger } from '@nestjs/common';
import type { InstanceCard, Instances } from './instances';
import type { InstanceId } from './instance-id';

/** What time the database said it was, between two readings of the monotonic clock. */
export interface HeardTime {
  readonly asked: number;
  readonly time: Date;
  readonly answered: number;
}

export class Heartbeat {
  private readonly logger = new Logger('InstanceHeartbeat');
  private lastContactMs: number | undefined;
  private ended = false;

  constructor(
    private readonly instances: Instances,
    private readonly instance: InstanceId,
    private readonly card: InstanceCard,
    private readonly clock: { measure(seen?: HeardTime): Promise<void> },
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** At start, before anything records this process. Answers the ids of processes that are found to be dead. */
  async begin(): Promise<string[]> {
    const died = await this.instances.register(this.instance.id, this.card);
    this.lastContactMs = this.monotonicMs();
    if (died.length > 0) this.logger.log(`Found dead, from an earlier start on this data folder: ${died.join(', ')}`);
    return died;
  }

  async run(_now: Date): Promise<void> {
    if (this.ended) return;
    const before = this.instance.id;
    // Counted from before the statement: a late answer proves life at the time of the question only.
    const asked = this.monotonicMs();
    const beat = await this.instances.beat(before);
    const answered = this.monotonicMs();
    if (beat === null && !this.stopping()) {
      await this.instances.rejoin(this.instance.renew(), this.card);
      this.logger.warn(`Declared dead as ${before}; joined again as ${this.instance.id}`);
    }
    this.lastContactMs = asked;
    // It has brought the database's time along: a statement less than asking for it.
    this.instance.seeOthers(beat?.others ?? true);
    await this.clock.measure(beat === null ? undefined : { asked, time: beat.now, answered });
  }

  /** Since the database last heard of this process: past a limit it must not act any more, others may have. */
  silentForMs(): number {
    return this.lastContactMs === undefined ? Infinity : this.monotonicMs() - this.lastContactMs;
  }

  /** At the very end, when nothing is in hand any more. A database that is away finds out by the missing heartbeat. */
  async end(): Promise<void> {
    if (this.ended || this.lastContactMs === undefined) return;
    this.ended = true;
    await this.instances.markStopped(this.instance.id).catch((error: unknown) => {
      this.logger.warn(`Could not be marked as stopped: ${String(error)}`);
    });
  }

  /** It may have ended while the heartbeat was under way: a stopped process does not join again. */
  private stopping(): boolean {
    return this.ended;
  }
}
