// Platform. How much of the time that a stop may take is left. It is one span for the whole stop: its parts come one after
// the other, and were each to take all of it, the stop would be given up as overdue.
export class StopTime {
  private until: number | undefined;

  constructor(
    private readonly seconds: number,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** The stop begins with the first question. */
  leftMs(): number {
    this.until ??= this.monotonicMs() + this.seconds * 1_000;
    return Math.max(0, this.until - this.monotonicMs());
  }

  /** Resolves when `work` has, or when there is no time left. */
  async atMost(work: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.leftMs())));
    await Promise.race([work, over]).finally(() => clearTimeout(timer));
  }
}
