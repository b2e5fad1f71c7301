// Inbound. Whoever sends messages for channels that do not exist is not looked up in the database for ever. Messages of
// our channels are never limited: one that is refused is lost.
const PER_MINUTE = 30;
const MOST_ADDRESSES = 10_000;

export class StrangerLimit {
  private minute = 0;
  private counts = new Map<string, number>();

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
