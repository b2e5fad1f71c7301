// Inbound. Whoever sends messages for channels that do not exist is not looked up in the database for ever. Messages of
// our channels are not limited, since one that is refused is lost: not even when they come from where strangers come from,
// as behind a proxy everybody does.
import { createHash } from 'node:crypto';

const PER_MINUTE = 30;
const MOST_ADDRESSES = 10_000;
const MOST_CHANNELS = 10_000;

export class StrangerLimit {
  private minute = 0;
  private counts = new Map<string, number>();

  /** Channels whose messages were taken: by a hash of id and token, which nobody else knows together. */
  private familiar = new Set<string>();

  know(channelId: string, token: string): void {
    if (this.familiar.size >= MOST_CHANNELS) this.familiar = new Set();
    this.familiar.add(keyOf(channelId, token));
  }

  knows(channelId: string, token: string): boolean {
    return this.familiar.has(keyOf(channelId, token));
  }

  exceeded(from: string, now: Date): boolean {
    this.turn(now);
    return (this.counts.get(from) ?? 0) >= PER_MINUTE;
  }

  count(from: string, now: Date): void {
    this.turn(now);
    if (this.counts.size >= MOST_ADDRESSES && !this.counts.has(from)) return;
    this.counts.set(from, (this.counts.get(from) ?? 0) + 1);
  }

  private turn(now: Date): void {
    const minute = Math.floor(now.getTime() / 60_000);
    if (minute === this.minute) return;
    this.minute = minute;
    this.counts = new Map();
  }
}

function keyOf(channelId: string, token: string): string {
  return createHash('sha256').update(`${channelId} ${token}`).digest('base64');
}
