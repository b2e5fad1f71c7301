// Test support, Drive emulator. What goes wrong on purpose: once for a matching request, or now and then by a seeded chance.

export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly reason?: string; readonly retryAfter?: string }
  | { readonly kind: 'html'; readonly status: number }
  /** The connection is cut before, or after, the work was done. */
  | { readonly kind: 'reset-before' }
  | { readonly kind: 'reset-after' }
  | { readonly kind: 'slow'; readonly ms: number }
  /** Answered when the test says so. */
  | { readonly kind: 'held'; readonly reached: () => void; readonly until: Promise<void> };

interface Planned {
  readonly on: RegExp;
  left: number;
  skip: number;
  readonly fault: Fault;
}

export class EmulatedFaults {
  readonly met = new Map<string, number>();
  private planned: Planned[] = [];
  private chance: { rate: number; random: () => number; faults: readonly Fault[] } | undefined;

  /** The next `times` requests whose `METHOD /path` matches, once `skip` of them have passed. */
  plan(on: RegExp, fault: Fault, times = 1, skip = 0): void {
    this.planned.push({ on, left: times, skip, fault });
  }

  /** Planned ones that nothing has met yet. */
  get unmet(): number {
    return this.planned.filter(({ left }) => left > 0).length;
  }

  /** Any request of the API, with this probability. */
  rain(rate: number, random: () => number, faults: readonly Fault[] = USUAL): void {
    this.chance = { rate, random, faults };
  }

  clear(): void {
    this.planned = [];
    this.chance = undefined;
  }

  take(request: string): Fault | undefined {
    const found = this.planned.find((plan) => plan.left > 0 && plan.on.test(request) && plan.skip-- <= 0);
    if (found !== undefined) {
      found.left -= 1;
      return this.count(found.fault);
    }
    if (this.chance === undefined || this.chance.random() >= this.chance.rate) return undefined;
    const { faults, random } = this.chance;
    const fault = faults[Math.floor(random() * faults.length)];
    return fault === undefined ? undefined : this.count(fault);
  }

  private count(fault: Fault): Fault {
    const name = fault.kind === 'answer' ? `${fault.status} ${fault.reason ?? ''}` : fault.kind;
    this.met.set(name, (this.met.get(name) ?? 0) + 1);
    return fault;
  }
}

export const USUAL: readonly Fault[] = [
  { kind: 'answer', status: 403, reason: 'userRateLimitExceeded' },
  { kind: 'answer', status: 429, reason: 'rateLimitExceeded', retryAfter: '1' },
  { kind: 'answer', status: 500, reason: 'backendError' },
  { kind: 'html', status: 502 },
  { kind: 'answer', status: 503, reason: 'backendError' },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'slow', ms: 20 },
];

/** A small generator of chance that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
