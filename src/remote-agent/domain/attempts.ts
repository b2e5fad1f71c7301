// Domain. How often a stranger may fail: a bucket for each, refilled evenly. No clock in it.
import { DomainError } from '../../kernel/domain-error';

export interface AttemptPolicy {
  readonly burst: number;
  readonly perMinute: number;
}

interface Bucket {
  left: number;
  at: number;
}

/** Beyond this many strangers the fullest buckets are forgotten first: they say nothing. */
const MOST_STRANGERS = 10_000;

export class Attempts {
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly policy: AttemptPolicy) {}

  allowed(stranger: string, now: Date): boolean {
    return this.bucket(stranger, now).left >= 1;
  }

  failed(stranger: string, now: Date): void {
    const bucket = this.bucket(stranger, now);
    bucket.left = Math.max(0, bucket.left - 1);
    this.buckets.set(stranger, bucket);
    if (this.buckets.size > MOST_STRANGERS) this.forget(now);
  }

  private bucket(stranger: string, now: Date): Bucket {
    const { burst, perMinute } = this.policy;
    const known = this.buckets.get(stranger) ?? { left: burst, at: now.getTime() };
    const gained = (Math.max(0, now.getTime() - known.at) / 60_000) * perMinute;
    return { left: Math.min(burst, known.left + gained), at: now.getTime() };
  }

  private forget(now: Date): void {
    for (const stranger of this.buckets.keys()) {
      if (this.bucket(stranger, now).left >= this.policy.burst) this.buckets.delete(stranger);
    }
    for (const stranger of this.buckets.keys()) {
      if (this.buckets.size <= MOST_STRANGERS) return;
      this.buckets.delete(stranger);
    }
  }
}

/** A fault of ours is nobody's attempt. */
export function isStrangersFault(error: unknown): boolean {
  return error instanceof DomainError && error.kind !== 'unavailable' && error.kind !== 'corrupt';
}
