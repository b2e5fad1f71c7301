// Platform, sockets. How many events a connection may send.

export class TokenBucket {
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly limits: { readonly perSecond: number; readonly burst: number },
    nowMs: number,
  ) {
    this.tokens = limits.burst;
    this.filledAt = nowMs;
  }

  take(nowMs: number): boolean {
    const { perSecond, burst } = this.limits;
    this.tokens = Math.min(burst, this.tokens + (Math.max(0, nowMs - this.filledAt) / 1_000) * perSecond);
    this.filledAt = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
