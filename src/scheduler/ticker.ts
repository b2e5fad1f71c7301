// Scheduler. Keeps the timetable. The only user of @nestjs/schedule: intervals, cron jobs and timeouts of the house are
// entries of its SchedulerRegistry, under the names of the rows. How one row is kept is in row-keeper.ts.
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import type { Clock } from '../kernel/clock';
import { RowKeeper, type RowReading, type RowTimers, type TickWatch } from './row-keeper';
import { type ClusterTurn, rhythmInWords, type TimetableRow } from './timetable-row';

export interface TickerParts {
  readonly registry: SchedulerRegistry;
  readonly clock: Clock;
  readonly watch: TickWatch;
  readonly turn?: ClusterTurn;
  readonly chance?: () => number;
}

/** What a timer of Node can hold; a longer one would ring at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Ticker {
  private readonly logger = new Logger('Scheduler');
  private readonly keepers = new Map<string, RowKeeper>();

  constructor(
    rows: readonly TimetableRow[],
    private readonly parts: TickerParts,
  ) {
    const { clock, watch, turn, registry, chance = Math.random } = parts;
    for (const row of rows) {
      if (this.keepers.has(row.name)) throw new Error(`two rows of the timetable are called ${row.name}`);
      // Without one, every process would tick, which is what the flag promises not to happen.
      if (row.oncePerCluster === true && turn === undefined) {
        throw new Error(`${row.name} is to run once per cluster, but nothing decides whose turn it is`);
      }
      const timers = new RegistryTimers(row, registry);
      this.keepers.set(row.name, new RowKeeper(row, { clock, timers, watch, turn, chance }));
    }
  }

  start(): void {
    const rows = [...this.keepers.values()].map(({ row }) => `${row.name} ${rhythmInWords(row.rhythm)}`);
    this.logger.log(rows.length === 0 ? 'The timetable is empty' : `Timetable: ${rows.join('; ')}`);
    for (const keeper of this.keepers.values()) keeper.open();
  }

  /** Ticks this row soon, also before its time. */
  wake(name: string): void {
    this.keeper(name).wake();
  }

  /** Resolves at the end, good or bad, of the first tick of this row that begins after this call. */
  ticked(name: string): Promise<void> {
    return this.keeper(name).ticked();
  }

  rows(): RowReading[] {
    return [...this.keepers.values()].map((keeper) => keeper.reading());
  }

  /**
   * Closes every row but those that tick until the end, and waits for the running ticks, at most this long.
   * Answers the names of the rows whose tick did not end in time.
   */
  async stop(deadlineMs: number): Promise<string[]> {
    return this.close(
      [...this.keepers.values()].filter(({ row }) => row.untilTheEnd !== true),
      deadlineMs,
    );
  }

  /** Closes what `stop` left open. */
  async end(deadlineMs: number): Promise<string[]> {
    return this.close([...this.keepers.values()], deadlineMs);
  }

  private async close(keepers: RowKeeper[], deadlineMs: number): Promise<string[]> {
    let deadline: NodeJS.Timeout | undefined;
    const closed = Promise.all(keepers.map((keeper) => keeper.close()));
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, Math.min(deadlineMs, LONGEST_TIMER_MS));
    });
    await Promise.race([closed, late]);
    clearTimeout(deadline);
    const unfinished = keepers.map((keeper) => keeper.reading()).filter(({ running }) => running);
    const names = unfinished.map(({ row }) => row.name);
    if (names.length > 0) this.logger.warn(`Stopped while a tick was running: ${names.join(', ')}`);
    return names;
  }

  private keeper(name: string): RowKeeper {
    const keeper = this.keepers.get(name);
    if (keeper === undefined) throw new Error(`the timetable has no row ${name}`);
    return keeper;
  }
}

/** The timers of one row, as entries of the registry. */
class RegistryTimers implements RowTimers {
  private readonly job: CronJob | undefined;
  private ring: () => void = () => undefined;

  constructor(
    private readonly row: TimetableRow,
    private readonly registry: SchedulerRegistry,
  ) {
    if (!('cron' in row.rhythm)) return;
    // Never started: its own timer follows the wall clock of this machine, which may be wrong. It is asked for the
    // instants, and fired at them by the house's clock.
    this.job = CronJob.from({ name: row.name, cronTime: row.rhythm.cron, timeZone: 'UTC', onTick: () => this.ring() });
    registry.addCronJob(row.name, this.job);
  }

  ringIn(ms: number, ring: () => void): void {
    this.silence();
    this.ring = ring;
    // Rung early when the wait is longer than a timer: the keeper looks at the clock and sets the next one.
    const timer = setTimeout(() => void this.fire(), Math.min(ms, LONGEST_TIMER_MS));
    this.registry.addTimeout(this.row.name, timer);
  }

  silence(): void {
    if (this.registry.doesExist('timeout', this.row.name)) this.registry.deleteTimeout(this.row.name);
  }

  beat(ms: number, ring: () => void): void {
    const part = Math.ceil(ms / LONGEST_TIMER_MS);
    let count = 0;
    const timer = setInterval(() => {
      count += 1;
      if (count % part === 0) ring();
    }, ms / part);
    this.registry.addInterval(this.row.name, timer);
  }

  nextCron(after: Date): Date {
    if (this.job === undefined) throw new Error(`${this.row.name} is no cron row`);
    return this.job.cronTime.getNextDateFrom(after, 'UTC').toJSDate();
  }

  end(): void {
    this.silence();
    const { name } = this.row;
    if (this.registry.doesExist('interval', name)) this.registry.deleteInterval(name);
    if (this.registry.doesExist('cron', name)) this.registry.deleteCronJob(name);
  }

  private async fire(): Promise<void> {
    this.silence();
    if (this.job === undefined) this.ring();
    else await this.job.fireOnTick();
  }
}
