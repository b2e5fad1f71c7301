// Use cases: what they need of the world beside their ports.
export interface Surroundings {
  /** Resolves early, and does not fail, when the signal comes. */
  wait(seconds: number, signal: AbortSignal): Promise<void>;
  chance(): number;
  say(line: string): void;
  /** Seconds that only go forward, whatever happens to the wall clock: leases are spans. */
  seconds(): number;
}
