// Use case. Fetches runs for the assistants of this machine, each as many at once as it may have, and works on them.
import { NotEnrolledError } from '../domain/errors';
import type { KeptIdentity } from '../domain/identity';
import { backOffSeconds } from '../domain/waiting';
import type { FetchedRun } from '../domain/work';
import type { Program, Programs } from '../ports/programs';
import type { WorkServer } from '../ports/work-server';
import type { Surroundings } from './surroundings';
import type { WorkOnRun } from './work-on-run';

const WAIT_SECONDS = 30;
/** An empty answer that comes sooner says that there is nothing to wait for: no right to it, or the server stops. */
const TOO_SOON_SECONDS = 5;
const LEFT_BEHIND = 'The process that worked on it is dead.';

export interface WorkSignals {
  /** Fetch nothing new. What is in hand is finished. */
  readonly stop: AbortSignal;
  /** What is in hand is ended. */
  readonly hurry: AbortSignal;
}

export class DoWork {
  constructor(
    private readonly server: WorkServer,
    private readonly programs: Programs,
    private readonly worker: WorkOnRun,
    private readonly around: Surroundings,
  ) {}

  /** @param identity as it is at the moment: it changes with each renewal */
  async run(identity: () => Promise<KeptIdentity>, signals: WorkSignals): Promise<void> {
    await this.programs.endLeftBehind(LEFT_BEHIND);
    const programs = this.programs.all();
    if (programs.length > 0) this.around.say(`fetching runs for ${programs.map(({ id }) => id).join(', ')}`);
    await Promise.all(programs.map((program) => this.serve(program, identity, signals)));
  }

  private async serve(program: Program, identity: () => Promise<KeptIdentity>, signals: WorkSignals): Promise<void> {
    const inHand = new Set<Promise<void>>();
    let failures = 0;
    while (!signals.stop.aborted) {
      if (inHand.size >= program.concurrency) {
        await Promise.race(inHand);
        continue;
      }
      const fetched = await this.fetch(program, identity, signals.stop);
      if (fetched === null || fetched instanceof Error) {
        failures = fetched === null ? 0 : failures + 1;
        if (fetched !== null) await this.around.wait(backOffSeconds(failures, 0, this.around.chance()), signals.stop);
        continue;
      }
      failures = 0;
      const work: Promise<void> = this.worker
        .run(fetched, identity, signals.hurry)
        .catch((error: unknown) => this.around.say(`run ${fetched.runId}: ${String(error)}`))
        .finally(() => inHand.delete(work));
      inHand.add(work);
    }
    await Promise.all(inHand);
  }

  /** Null: nothing came within the time. A failure is the server's, or the way's; presence speaks of it. */
  private async fetch(
    { id }: Program,
    identity: () => Promise<KeptIdentity>,
    stop: AbortSignal,
  ): Promise<FetchedRun | null | Error> {
    const askedAt = this.around.seconds();
    try {
      const run = await this.server.fetch(await identity(), [id], WAIT_SECONDS, stop);
      if (run !== null || this.around.seconds() - askedAt >= TOO_SOON_SECONDS) return run;
      return new Error('nothing to wait for');
    } catch (error) {
      if (error instanceof NotEnrolledError) throw error;
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}
