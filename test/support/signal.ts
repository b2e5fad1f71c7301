// Test support. Waiting for things that happen, instead of for a while.

/** Counts events, and lets a test wait until there were as many as it needs. */
export class Signal {
  count = 0;
  private waiting: { readonly from: number; readonly resolve: () => void }[] = [];

  readonly raise = (): void => {
    this.count += 1;
    this.waiting = this.waiting.filter(({ from, resolve }) => {
      if (this.count < from) return true;
      resolve();
      return false;
    });
  };

  /** Resolves when it has been raised so many times in all. A test that waits in vain ends by its time-out. */
  times(count: number): Promise<void> {
    if (this.count >= count) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ from: count, resolve }));
  }
}
