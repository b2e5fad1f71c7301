// Platform, outbox. Hands events to their consumers, in order and at least once. When is the timetable's business (row
// outbox-relay); how far each consumer has come is in outbox-store.ts.
import { Logger } from '@nestjs/common';
import type { Clock } from '../../kernel/clock';
import { DomainError } from '../../kernel/domain-error';
import type { OutboxConsumer, OutboxConsumers } from './outbox-consumers';
import type { OutboxEvent } from './outbox-event';
import type { OutboxMetrics } from './outbox-metrics';
import type { ConsumerState, Hold, OutboxStore, Page } from './outbox-store';

export interface RelaySettings {
  /** A relay that died is replaced after this long. */
  readonly leaseSeconds: number;
  readonly pageSize: number;
  /** Between two rounds that find something: what comes meanwhile is taken together. The first after a pause is not kept waiting. */
  readonly gapMs?: number;
}

const LONGEST_BACKOFF_SECONDS = 3_600;
/** Committed events whose turn has not come, since an older writer is at work: nobody wakes us when it ends. */
const UNSETTLED_PAUSE_MS = 100;

export class OutboxRelay {
  private readonly logger = new Logger('OutboxRelay');
  private opening: Promise<void> | undefined;
  private deliveredAt: Date | undefined;

  constructor(
    private readonly store: OutboxStore,
    private readonly consumers: OutboxConsumers,
    private readonly metrics: OutboxMetrics,
    private readonly instance: { readonly id: string },
    private readonly clock: Clock,
    private readonly settings: RelaySettings = { leaseSeconds: 30, pageSize: 200 },
  ) {}

  /** Enters the consumers. Before this process writes its first event, so that none is too early for them. */
  open(): Promise<void> {
    this.opening ??= this.enter().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  /** Delivers what there is; answers when to look again. */
  async run(now: Date): Promise<Date | null> {
    await this.open();
    const soonest = (this.deliveredAt?.getTime() ?? 0) + (this.settings.gapMs ?? 0);
    if (now.getTime() < soonest) return new Date(soonest);
    const all = this.consumers.all();
    const states = await this.store.look(all);
    const free = states.filter((state) => state.free && hasWork(state, now));
    if (free.length === 0) return this.nextLook(states, now);
    this.deliveredAt = now;
    const passing = free.filter(({ behind, wanted }) => behind && !wanted);
    if (passing.length > 0) await this.store.passBy(consumersOf(all, passing));
    const rounds = free.filter((state) => state.wanted || isDue(state, now));
    const ends = await Promise.allSettled(
      consumersOf(all, rounds).map((consumer) => {
        const state = rounds.find(({ name }) => name === consumer.name);
        return this.serve(consumer, state !== undefined && isDue(state, now), now);
      }),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return this.nextLook(await this.store.look(all), now);
  }

  /** Null: whoever writes the next event wakes us. */
  private nextLook(states: readonly ConsumerState[], now: Date): Date | null {
    const instants = states.flatMap((state) => {
      if (!hasWork(state, now)) return state.retryAt ?? [];
      // Whoever serves it may die over it: then it is free when the lease ends.
      return state.free ? now : (state.leaseEndsAt ?? []);
    });
    if (states.some(({ unsettled }) => unsettled)) {
      instants.push(new Date(this.clock.now().getTime() + UNSETTLED_PAUSE_MS));
    }
    return instants.length === 0 ? null : new Date(Math.min(...instants.map((at) => at.getTime())));
  }

  private async enter(): Promise<void> {
    const consumers = this.consumers.all().map(({ name }) => name);
    for (const name of consumers) this.metrics.announce(name);
    if (await this.store.open(consumers)) {
      this.logger.log('The database was restored from a dump: events continue after the newest of it');
    }
  }

  private async serve(consumer: OutboxConsumer, retries: boolean, now: Date): Promise<void> {
    // Of its own for each round: whoever lost its lease in one must not find it again in the next.
    const owner = `${this.instance.id} ${now.getTime()} ${Math.random()}`;
    const { leaseSeconds, pageSize } = this.settings;
    const first = retries ? null : await this.store.leaseAndPage(consumer, owner, leaseSeconds, pageSize);
    if (retries ? !(await this.store.lease(consumer.name, owner, leaseSeconds)) : first === null) return;
    let rest: 'more' | 'none' = 'more';
    try {
      if (retries) await this.retry(consumer, now);
      for (let page = first; rest === 'more'; page = null) {
        const next = page ?? (await this.store.page(consumer.name, owner, consumer.types, pageSize));
        if (next === null) return;
        rest = await this.deliverPage(consumer, owner, next, now);
      }
    } finally {
      // With the end of the window it was given back already.
      if (rest === 'more') await this.store.release(consumer.name, owner).catch(() => undefined);
    }
  }

  private async deliverPage(consumer: OutboxConsumer, owner: string, page: Page, now: Date): Promise<'more' | 'none'> {
    const { leaseSeconds, pageSize } = this.settings;
    const holds = await this.deliver(consumer, page.events, page.heldTenants, now);
    const until = page.events.length < pageSize ? null : (page.events.at(-1)?.id ?? null);
    const moved = await this.store.move(consumer.name, owner, { window: page.window, until, holds, leaseSeconds });
    return moved && until !== null ? 'more' : 'none';
  }

  private async deliver(
    consumer: OutboxConsumer,
    events: readonly OutboxEvent[],
    heldTenants: ReadonlySet<number>,
    now: Date,
  ): Promise<Hold[]> {
    const free = events.filter(({ tenantId }) => !heldTenants.has(tenantId));
    const behind = events.filter(({ tenantId }) => heldTenants.has(tenantId));
    const holds = behind.map((event): Hold => ({ event, retryAt: now }));
    if (free.length === 0 || (await this.consumed(consumer, free)) === undefined) return holds;
    // One of them is at fault: each by itself, and whose does not go through waits with all later ones of its tenant.
    const waiting = new Set<number>();
    for (const event of free) {
      const error = waiting.has(event.tenantId) ? undefined : await this.consumed(consumer, [event]);
      if (error !== undefined) waiting.add(event.tenantId);
      if (error !== undefined) holds.push({ event, retryAt: backoff(1, now), error });
      else if (waiting.has(event.tenantId)) holds.push({ event, retryAt: now });
    }
    return holds;
  }

  /** Those that wait, one by one: a tenant's next only when the one before it was taken. */
  private async retry(consumer: OutboxConsumer, now: Date): Promise<void> {
    const stuck = new Set<number>();
    for (const { event, failures } of await this.store.held(consumer.name, now, this.settings.pageSize)) {
      if (stuck.has(event.tenantId)) continue;
      const error = await this.consumed(consumer, [event]);
      if (error === undefined) {
        await this.store.taken(consumer.name, event.id);
      } else {
        stuck.add(event.tenantId);
        await this.store.failedAgain(consumer.name, event.id, backoff(failures + 1, now), error);
      }
    }
  }

  /** Undefined: taken. A database that is away is no event's fault: the whole round fails, and comes again. */
  private async consumed(consumer: OutboxConsumer, events: readonly OutboxEvent[]): Promise<string | undefined> {
    try {
      await consumer.consume(events);
      this.metrics.taken(consumer.name, events.length);
      return undefined;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unavailable') throw error;
      if (events.length > 1) return 'one of several';
      const [event] = events;
      this.metrics.failed(consumer.name);
      this.logger.warn({ err: error }, `${consumer.name} could not take event ${event?.id} (${event?.type})`);
      return error instanceof Error ? error.message.slice(0, 500) : 'no error';
    }
  }
}

function hasWork(state: ConsumerState, now: Date): boolean {
  return state.behind || isDue(state, now);
}

/** What it could not take before is to be tried again. */
function isDue({ retryAt }: ConsumerState, now: Date): boolean {
  return retryAt !== null && retryAt <= now;
}

function consumersOf(all: readonly OutboxConsumer[], states: readonly ConsumerState[]): OutboxConsumer[] {
  return all.filter((consumer) => states.some(({ name }) => name === consumer.name));
}

function backoff(failures: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(2 ** failures, LONGEST_BACKOFF_SECONDS) * 1_000);
}
