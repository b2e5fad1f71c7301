// A message of Drive: "something changed". Answered only when it is stored that the feed is to be read.
import { ChannelUnknownError } from '../domain/errors';
import type { Notice } from '../domain/channel';
import type { ChannelRepository } from '../ports/channel-repository';
import type { Watcher } from '../ports/watcher';

export class TakeNotice {
  /** Messages of one tenant that come while one is being stored are stored with it. */
  private readonly next = new Map<number, Promise<void>>();
  private readonly underWay = new Map<number, Promise<void>>();

  constructor(
    private readonly channels: ChannelRepository,
    private readonly watcher: Watcher,
  ) {}

  async run(notice: Notice, now: Date): Promise<void> {
    if (!(await this.channels.recognise(notice, now))) throw new ChannelUnknownError();
    // The first message of a channel says that it is open, and nothing else.
    if (notice.state === 'sync') return;
    await this.store(notice.tenantId, now);
  }

  private store(tenantId: number, now: Date): Promise<void> {
    const working = this.underWay.get(tenantId);
    if (working === undefined) return this.begin(tenantId, now);
    // What is being stored may have been read already by the worker: one more is enough for all that wait.
    const waiting = this.next.get(tenantId) ?? working.catch(() => undefined).then(() => this.begin(tenantId, now));
    this.next.set(tenantId, waiting);
    return waiting;
  }

  private begin(tenantId: number, now: Date): Promise<void> {
    this.next.delete(tenantId);
    const stored = this.watcher.changed(tenantId, now).finally(() => this.underWay.delete(tenantId));
    this.underWay.set(tenantId, stored);
    return stored;
  }
}
