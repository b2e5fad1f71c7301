// Platform, persistence. Who goes first when everybody wants the database at once: what starts runs goes before what writes
// down how they went. A run that waits for its start is late; a record that waits is not.

/** A record waits this long at most: what it sets free, a place of the budget, may be waited for. */
const PATIENCE_MS = 3_000;

export class Rush {
  private urgent = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly patienceMs = PATIENCE_MS) {}

  /** Urgent work begins; the answer is called at its end. */
  begin(): () => void {
    this.urgent += 1;
    return () => {
      this.urgent -= 1;
      // What follows from this work (its launches, the next batch) begins within this turn of the event loop.
      if (this.urgent === 0) setImmediate(() => this.urgent === 0 && this.release());
    };
  }

  /** Resolves when nothing urgent is going on, or patience has run out. */
  over(): Promise<void> {
    if (this.urgent === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, this.patienceMs);
      this.waiting.add(go);
    });
  }

  private release(): void {
    for (const go of [...this.waiting]) go();
  }
}
