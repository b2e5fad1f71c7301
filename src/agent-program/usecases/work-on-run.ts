// Use case, part of do-work: one run from its start to its report. The run is ours while the server hears of us within its
// lease; when it does not, another machine may have it, and our program must not go on.
import { isNotOurs, ServerAwayError } from '../domain/errors';
import type { KeptIdentity } from '../domain/identity';
import { backOffSeconds } from '../domain/waiting';
import { failedReport, type FetchedRun, type RunReport } from '../domain/work';
import type { Programs } from '../ports/programs';
import type { WorkServer } from '../ports/work-server';
import type { Surroundings } from './surroundings';

/** Signs of life for each lease: two may get lost. And whoever cancels a run does not wait for longer than this. */
const RENEWALS = 3;
const LONGEST_SILENCE_SECONDS = 10;
const LOST = 'The server has not heard of this machine for too long: the run may be somebody else’s.';
export const STOPPED = 'The machine that worked on it was stopped.';

export class WorkOnRun {
  constructor(
    private readonly server: WorkServer,
    private readonly programs: Programs,
    private readonly around: Surroundings,
  ) {}

  /** @param hurry whoever stops waits no longer: what still works is ended, and reported so */
  async run(run: FetchedRun, identity: () => Promise<KeptIdentity>, hurry: AbortSignal): Promise<void> {
    const report = await this.execute(run, identity, hurry);
    if (report !== null) await this.report(run, report, identity, hurry);
    await this.programs.forget(run.requestId);
  }

  /** Null: it is not ours any more, nobody wants to hear of it. */
  private async execute(
    run: FetchedRun,
    identity: () => Promise<KeptIdentity>,
    hurry: AbortSignal,
  ): Promise<RunReport | null> {
    const program = await this.programs.start(run).catch((error: unknown) => failedReport(wordsOf(error)));
    if (!('ended' in program)) return program;
    const over = new AbortController();
    const ended = program.ended.finally(() => over.abort());
    const onHurry = (): void => void this.programs.end(run.requestId, STOPPED);
    hurry.addEventListener('abort', onHurry, { once: true });
    if (hurry.aborted) onHurry();
    const isOurs = await this.keep(run, identity, over.signal);
    if (!isOurs) await this.programs.end(run.requestId, LOST);
    const report = await ended;
    hurry.removeEventListener('abort', onHurry);
    return isOurs ? report : null;
  }

  /** Until the program is over. False: the run is lost. */
  private async keep(run: FetchedRun, identity: () => Promise<KeptIdentity>, over: AbortSignal): Promise<boolean> {
    let lease = run.leaseSeconds;
    let heardAt = this.around.seconds();
    for (;;) {
      await this.around.wait(Math.min(lease / RENEWALS, LONGEST_SILENCE_SECONDS), over);
      if (over.aborted) return true;
      const askedAt = this.around.seconds();
      try {
        const renewal = await this.server.renew(await identity(), { ...run, leaseSeconds: lease });
        lease = renewal.leaseSeconds;
        heardAt = askedAt;
        if (renewal.cancelled !== null) await this.programs.end(run.requestId, renewal.cancelled);
      } catch (error) {
        if (over.aborted) return true;
        if (isNotOurs(error)) return false;
        if (this.around.seconds() - heardAt >= lease) return false;
      }
    }
  }

  /** The server may be away for a while; what was done is not lost for it, unless another machine has the run. */
  private async report(
    run: FetchedRun,
    report: RunReport,
    identity: () => Promise<KeptIdentity>,
    hurry: AbortSignal,
  ): Promise<void> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.server.complete(await identity(), run, report);
      } catch (error) {
        if (!(error instanceof ServerAwayError) || hurry.aborted) {
          this.around.say(`run ${run.runId} could not be reported: ${wordsOf(error)}`);
          return;
        }
        await this.around.wait(backOffSeconds(failures, 0, this.around.chance()), hurry);
      }
    }
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
