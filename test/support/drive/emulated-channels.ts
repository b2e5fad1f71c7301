// Test support, Drive emulator. Push channels: sync and change messages, lost, doubled, late and out of order as a test likes.
import { randomBytes } from 'node:crypto';
import { EmulatedRefusal } from './emulated-files';

export interface Channel {
  readonly id: string;
  readonly resourceId: string;
  readonly address: string;
  readonly token?: string;
  readonly space: string;
  readonly account: string;
  readonly expiration: number;
  messages: number;
  stopped: boolean;
}

export type Delivery = 'deliver' | 'lose' | 'double' | 'late';

const LONGEST_MS = 604_800_000;

export class EmulatedChannels {
  readonly channels = new Map<string, Channel>();
  /** Decides what becomes of each change message. */
  delivery: () => Delivery = () => 'deliver';
  /** The sync message is delivered before the watch call has answered. */
  syncFirst = true;
  readonly answers: number[] = [];
  /** Where messages for an address are really sent. */
  route: (address: string) => string = (address) => address;
  private readonly late: (() => Promise<void>)[] = [];
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly now: () => Date) {}

  async watch(space: string, account: string, body: Record<string, unknown>) {
    const { id, type, address, token, expiration } = body;
    if (typeof id !== 'string' || type !== 'web_hook' || typeof address !== 'string') {
      throw new EmulatedRefusal(400, 'required', 'Required');
    }
    if (this.channels.has(id)) throw new EmulatedRefusal(400, 'channelIdNotUnique', 'Channel id not unique');
    const now = this.now().getTime();
    const asked = expiration === undefined ? now + 3_600_000 : Number(expiration);
    const channel: Channel = {
      id,
      resourceId: `res-${Buffer.from(space).toString('base64url')}`,
      address,
      ...(typeof token === 'string' ? { token } : {}),
      space,
      account,
      expiration: Math.min(asked, now + LONGEST_MS),
      messages: 0,
      stopped: false,
    };
    this.channels.set(id, channel);
    const sync = this.send(channel, 'sync');
    if (this.syncFirst) await sync;
    const { resourceId } = channel;
    return { kind: 'api#channel', id, resourceId, resourceUri: 'emulated', token, expiration: `${channel.expiration}` };
  }

  stop(account: string, { id, resourceId }: Record<string, unknown>): void {
    const channel = this.channels.get(String(id));
    if (
      channel === undefined ||
      !this.live(channel) ||
      channel.resourceId !== resourceId ||
      channel.account !== account
    ) {
      throw new EmulatedRefusal(404, 'notFound', `Channel '${String(id)}' not found`);
    }
    channel.stopped = true;
  }

  live(channel: Channel): boolean {
    return !channel.stopped && channel.expiration > this.now().getTime();
  }

  changed(space: string): void {
    for (const channel of this.channels.values()) {
      if (channel.space !== space || !this.live(channel)) continue;
      const how = this.delivery();
      if (how === 'late') this.late.push(() => this.send(channel, 'change'));
      else if (how !== 'lose') for (let nr = how === 'double' ? 2 : 1; nr > 0; nr--) void this.send(channel, 'change');
    }
  }

  /** What was held back arrives now, the newest first. */
  async releaseLate(): Promise<void> {
    for (const send of this.late.splice(0).reverse()) await send();
  }

  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private send(channel: Channel, state: string): Promise<void> {
    channel.messages += 1;
    const headers: Record<string, string> = {
      'X-Goog-Channel-ID': channel.id,
      'X-Goog-Message-Number': String(channel.messages),
      'X-Goog-Resource-ID': channel.resourceId,
      'X-Goog-Resource-State': state,
      'X-Goog-Resource-URI': 'emulated',
      'X-Goog-Channel-Expiration': new Date(channel.expiration).toUTCString(),
      ...(channel.token === undefined ? {} : { 'X-Goog-Channel-Token': channel.token }),
      'User-Agent': `APIs-Google; ${randomBytes(2).toString('hex')}`,
    };
    const sent = fetch(this.route(channel.address), { method: 'POST', headers })
      .then((answer) => void this.answers.push(answer.status))
      .catch(() => void this.answers.push(0))
      .finally(() => this.underWay.delete(sent));
    this.underWay.add(sent);
    return sent;
  }
}
