// Platform, instances. Says every two seconds that this process lives (the rhythm is a row of the timetable), measures
// the house's clock on the same occasion, and looks after those whose heartbeat is late.
import { Logger } from '@nestjs/common';
import { CUT_OFF_AFTER_MS, judged, LATE_AFTER_SECONDS } from './judgement';
import type { InstanceId } from './instance-id';
import type { InstanceCard, Instances, LateInstance } from './instances';

/** What time the database said it was, between two readings of the monotonic clock. */
export interface HeardTime {
  readonly asked: number;
  readonly time: Date;
  readonly answered: number;
}

export interface HeartbeatSurroundings {
  readonly clock: { measure(seen?: HeardTime): Promise<void> };
  readonly monotonicMs?: () => number;
  /** Whether a process of this machine is gone; null: it cannot be told from here. */
  readonly isGone?: (identity: unknown) => boolean | null;
}

export class Heartbeat {
  private readonly logger = new Logger('InstanceHeartbeat');
  private readonly monotonicMs: () => number;
  private readonly deathListeners: (() => void)[] = [];
  private readonly cutOffListeners: (() => void)[] = [];
  private lastContactMs: number | undefined;
  /** The first contact after any failure: whoever has not been in touch for long judges nobody. */
  private steadySinceMs: number | undefined;
  private session: string | undefined;
  private fenced = false;
  private ended = false;

  constructor(
    private readonly instances: Instances,
    private readonly instance: InstanceId,
    private readonly card: InstanceCard,
    private readonly surroundings: HeartbeatSurroundings,
  ) {
    this.monotonicMs = surroundings.monotonicMs ?? ((): number => performance.now());
    instance.watchContact(() => this.silentForMs() > CUT_OFF_AFTER_MS);
  }

  /** At start, before anything records this process. Answers the ids of processes that are found to be dead. */
  async begin(): Promise<string[]> {
    const died = await this.instances.register(this.instance.id, this.card);
    this.lastContactMs = this.monotonicMs();
    if (died.length > 0) this.logger.log(`Found dead, from an earlier start on this data folder: ${died.join(', ')}`);
    return died;
  }

  /** Called when another process has been declared dead: there may be something to settle at once. */
  onDeath(listener: () => void): void {
    this.deathListeners.push(listener);
  }

  /** Called, once, when this process has been without contact for so long that others will take it for dead. */
  onCutOff(listener: () => void): void {
    this.cutOffListeners.push(listener);
  }

  async run(_now: Date): Promise<void> {
    if (this.ended) return;
    const before = this.instance.id;
    this.fenceWhenCutOff();
    // Counted from before the statement: a late answer proves life at the time of the question only.
    const asked = this.monotonicMs();
    const beat = await this.instances.beat(before).catch((error: unknown) => {
      this.steadySinceMs = undefined;
      this.fenceWhenCutOff();
      throw error;
    });
    const answered = this.monotonicMs();
    if (beat === null && !this.stopping()) {
      await this.instances.rejoin(this.instance.renew(), this.card);
      this.logger.warn(`Declared dead as ${before}; joined again as ${this.instance.id}`);
    }
    this.inContact(asked, beat?.session);
    this.instance.seeOthers(beat?.others ?? true);
    // It has brought the database's time along: a statement less than asking for it.
    await this.surroundings.clock.measure(beat === null ? undefined : { asked, time: beat.now, answered });
    if (beat?.suspects === true) await this.judgeLate();
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

  private inContact(asked: number, session: string | undefined): void {
    // A gap as long as others are given is a failure too, whatever was the reason: this process was stopped, say.
    const gap = this.silentForMs() > LATE_AFTER_SECONDS * 2_000;
    if (gap || session !== this.session) this.steadySinceMs = undefined;
    this.session = session;
    this.steadySinceMs ??= asked;
    this.lastContactMs = asked;
    this.fenced = false;
  }

  private fenceWhenCutOff(): void {
    if (this.fenced || this.lastContactMs === undefined || this.silentForMs() <= CUT_OFF_AFTER_MS) return;
    this.fenced = true;
    this.logger.warn(
      `Without contact to the database for ${Math.round(this.silentForMs() / 1_000)} s: nothing is launched, and what runs here is ended`,
    );
    for (const listener of this.cutOffListeners) listener();
  }

  private async judgeLate(): Promise<void> {
    const steadyForSeconds = (this.monotonicMs() - (this.steadySinceMs ?? this.monotonicMs())) / 1_000;
    let died = false;
    for (const late of await this.instances.late(this.instance.id)) {
      const gone = this.surroundings.isGone?.(late.identity) ?? null;
      const end = judged({ ...late, gone }, steadyForSeconds);
      if (end === null || !(await this.instances.declareDead(late, end))) continue;
      this.logger.warn(`Declared dead: ${inWords(late)}, ${end}`);
      died = true;
    }
    if (died) for (const listener of this.deathListeners) listener();
  }

  /** It may have ended while the heartbeat was under way: a stopped process does not join again. */
  private stopping(): boolean {
    return this.ended;
  }
}

function inWords({ id, host, pid, silentForSeconds }: LateInstance): string {
  return `${id} (process ${pid} on ${host}, no heartbeat for ${silentForSeconds.toFixed(1)} s)`;
}
