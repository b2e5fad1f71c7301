// Use case. `horarium agent run`: presence, and beside it the work. Presence outlives the work: while a last run is being
// finished, the machine is there.
import type { DoWork, WorkSignals } from './do-work';
import type { KeepPresence } from './keep-presence';

export class ServeMachine {
  constructor(
    private readonly presence: KeepPresence,
    private readonly work: DoWork,
  ) {}

  async run({ stop, hurry }: WorkSignals): Promise<void> {
    const left = new AbortController();
    const lost = new AbortController();
    const working = this.work
      .run(() => this.presence.identity(), {
        stop: AbortSignal.any([stop, lost.signal]),
        hurry: AbortSignal.any([hurry, lost.signal]),
      })
      .then(
        () => undefined,
        (error: unknown) => lost.abort(error),
      );
    // Without work there is presence alone: it ends with the signal to stop.
    const asked = new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      stop.addEventListener('abort', () => resolve(), { once: true });
    });
    void Promise.all([working, asked]).then(() => left.abort());
    try {
      await this.presence.run(AbortSignal.any([left.signal, lost.signal]));
    } catch (error) {
      // Nobody takes a report of this machine any more; its programs must not go on.
      lost.abort(error);
      await working;
      throw error;
    }
    await working;
    if (lost.signal.aborted) throw lost.signal.reason;
  }
}
