// Use case. Carries classification runs from the queue to their end, over crashes of everybody involved.
import { systemActor } from '../../kernel/actor';
import type { Clock } from '../../kernel/clock';
import type { ThisInstance } from '../../kernel/this-instance';
import type { ClassificationPolicy } from '../domain/classification-policy';
import type { ClassificationRun } from '../domain/classification-run';
import { RunnerFailedError, RunnerUnreachableError } from '../domain/errors';
import { progressOf } from '../domain/progress';
import { type EndOfRun, type Outcome, outcomeOf, type RunnerEnd } from '../domain/run-outcome';
import type { ClassificationSignals } from '../ports/classification-signals';
import type { ClassifierRunner } from '../ports/classifier-runner';
import type { EvidenceCatalogue } from '../ports/evidence-catalogue';
import type { ModelDoor, OpenDoor } from '../ports/model-door';
import type { GivenFile, RunFolders } from '../ports/run-folders';
import type { Carrier, RunRepository } from '../ports/run-repository';
import type { ReapStrays } from './reap-strays';

const ACTOR = systemActor('evidence classification');
/** What the program may write, of which a line for each file is expected. */
const MOST_WRITTEN_BYTES = 64 * 1_048_576;
/** While something waits: for a free place, or for a runner. */
const LOOK_AGAIN_MS = 5_000;
/** An engine that does not come back for so long after the deadline has lost the run. */
const LOST_AFTER_MS = 10 * 60_000;
/** Of a model, for each file. */
const MOST_QUESTIONS = 3;

/** How a run ended, and in whose words. */
type Ended = Outcome & { readonly detail: string | null };

/** The run is another process's by now, or this one is stopping: hands off, and nothing is written. */
class HandsOff extends Error {}

export class CarryRuns {
  private readonly carried = new Map<string, Promise<void>>();
  private stopping = false;

  constructor(
    private readonly runs: RunRepository,
    private readonly runner: ClassifierRunner,
    private readonly folders: RunFolders,
    private readonly door: ModelDoor,
    private readonly reaper: ReapStrays,
    private readonly catalogue: EvidenceCatalogue,
    private readonly signals: ClassificationSignals,
    private readonly policy: ClassificationPolicy,
    private readonly instance: ThisInstance,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes what has no carrier: first what others left behind, then what is queued. The runs go on beside this round.
   * Answers when to look again; null: whoever queues the next one wakes us.
   */
  async run(now: Date): Promise<Date | null> {
    if (this.stopping) return null;
    const place = await this.folders.place();
    const next = await this.runs.nextToTake(ACTOR, place);
    const due = next !== null && next <= now;
    if (due) await this.take({ owner: this.instance.id, place }, now);
    await this.reaper.run(ACTOR, now);
    return due ? new Date(now.getTime() + LOOK_AGAIN_MS) : next;
  }

  /** Resolves when all that this process carries at the moment is over. */
  async idle(): Promise<void> {
    await Promise.all(this.carried.values());
  }

  /** What runs goes on running; the next process, or the next start, carries it on. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.idle();
    try {
      await this.runs.letGo(ACTOR, this.instance.id);
    } catch (error) {
      // A stop goes on without the database. The lease runs out, and the next process takes them up.
      this.signals.trouble('The classification runs of this process could not be let go', error);
    }
  }

  private async take(carrier: Carrier, now: Date): Promise<void> {
    const free = (): number => this.policy.maxRuns - this.carried.size;
    if (free() > 0) {
      const { leaseSeconds, deadlineSeconds } = this.policy;
      for (const run of await this.runs.takeOver(ACTOR, carrier, free(), leaseSeconds)) this.carry(run, true);
      // Without a runner nothing is claimed: it waits in the queue, where people see that it waits.
      if (free() > 0 && (await this.runner.check()).ok) {
        const order = { limit: free(), leaseSeconds, deadlineSeconds };
        for (const run of await this.runs.claim(ACTOR, carrier, order, now)) this.carry(run, false);
      }
    }
  }

  private carry(run: ClassificationRun, found: boolean): void {
    if (this.carried.has(run.id)) return;
    const end = this.toItsEnd(run, found)
      .catch((error: unknown) => {
        if (!(error instanceof HandsOff)) this.signals.trouble(`Classification run ${run.id} is left for now`, error);
      })
      .finally(() => this.carried.delete(run.id));
    this.carried.set(run.id, end);
  }

  private async toItsEnd(run: ClassificationRun, found: boolean): Promise<void> {
    let door: OpenDoor | undefined;
    let ended: Ended;
    try {
      const state = found ? await this.runner.state(run.id) : 'absent';
      if (state === 'absent' && run.status === 'running') {
        ended = await this.whatIsLeft(run, { exitCode: null, outOfMemory: false, output: '' });
      } else {
        if (state === 'absent') await this.prepare(run);
        if (state !== 'exited') {
          door = await this.door.open(this.folders.paths(run.id).in, run.totalFiles * MOST_QUESTIONS);
        }
        if (state === 'absent') await this.start(run);
        const runner = await this.runner.nameFor(run.id);
        if (!(await this.runs.markRunning(ACTOR, run.id, this.instance.id, runner, this.clock.now()))) {
          throw new HandsOff();
        }
        ended = await this.follow(run);
      }
    } catch (error) {
      ended = this.endedBy(error, run);
    } finally {
      await door?.close();
    }
    await this.finish(run.id, ended);
  }

  /** What the run ends with; whatever is not its end is thrown again, and the run is taken up later. */
  private endedBy(error: unknown, run: ClassificationRun): Ended {
    if (error instanceof RunnerFailedError) return { status: 'failed', reason: error.reason, detail: error.message };
    const lostAt = (run.deadlineAt ?? run.createdAt).getTime() + LOST_AFTER_MS;
    if (!(error instanceof RunnerUnreachableError) || this.clock.now().getTime() < lostAt) throw error;
    return { status: 'failed', reason: 'engine_lost', detail: error.message };
  }

  private async prepare(run: ClassificationRun): Promise<void> {
    await this.folders.remove(run.id);
    const files = await this.runs.files(ACTOR, run.id);
    await this.folders.prepare(run.id, this.given(files)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === undefined || error instanceof RunnerFailedError) throw error;
      // Of the disk: full, perhaps. To try again and again would help nobody.
      throw new RunnerFailedError('start_failed', `The files cannot be laid out: ${(error as Error).message}`, error);
    });
  }

  private async start(run: ClassificationRun): Promise<void> {
    const deadlineAt = run.deadlineAt ?? this.clock.now();
    const { id: runId, tenantId, image } = run;
    await this.runner.start({ runId, tenantId, image, folders: this.folders.paths(runId), deadlineAt });
  }

  private async *given(files: readonly { evidenceId: string; name: string }[]): AsyncIterable<GivenFile> {
    for (const { evidenceId, name } of files) {
      const found = await this.catalogue.content(ACTOR, evidenceId).catch((error: unknown) => {
        throw new RunnerFailedError('files_unreadable', `The file of ${evidenceId} cannot be read.`, error);
      });
      if (found === null) throw new RunnerFailedError('files_unreadable', `Evidence ${evidenceId} is gone.`);
      yield { evidenceId, name, ...found };
    }
  }

  private async follow(run: ClassificationRun): Promise<Ended> {
    const given = new Set((await this.runs.files(ACTOR, run.id)).map(({ evidenceId }) => evidenceId));
    let stoppedFor: EndOfRun['stoppedFor'] = null;
    let offset = 0;
    const beat = async (): Promise<void> => {
      if (this.stopping) throw new HandsOff();
      const kept = await this.runs.keep(ACTOR, run.id, this.instance.id, this.policy.leaseSeconds);
      if (kept === null) throw new HandsOff();
      offset = await this.record(run.id, given, offset);
      if (stoppedFor !== null) return;
      if (kept.cancelRequestedAt !== null) stoppedFor = 'cancelled';
      else if (kept.deadlineAt !== null && this.clock.now() >= kept.deadlineAt) stoppedFor = 'timed_out';
      else if ((await this.folders.written(run.id)) > MOST_WRITTEN_BYTES) stoppedFor = 'output_too_large';
      if (stoppedFor !== null) await this.runner.stop(run.id);
    };
    const end = await this.runner.observe(run.id, beat);
    offset = await this.record(run.id, given, offset);
    return this.judge(run.id, end, stoppedFor, given.size);
  }

  /** Of a run that another process carried, and that is over or gone. */
  private async whatIsLeft(run: ClassificationRun, end: RunnerEnd): Promise<Ended> {
    const given = new Set((await this.runs.files(ACTOR, run.id)).map(({ evidenceId }) => evidenceId));
    await this.record(run.id, given, 0);
    return this.judge(run.id, end, run.cancelRequestedAt === null ? null : 'cancelled', given.size);
  }

  private async judge(
    runId: string,
    end: RunnerEnd,
    stoppedFor: EndOfRun['stoppedFor'],
    givenFiles: number,
  ): Promise<Ended> {
    const manifestFiles = await this.folders.manifestFiles(runId);
    const outcome = outcomeOf({ end, stoppedFor, manifestFiles, givenFiles });
    const detail = outcome.status === 'succeeded' ? null : end.output.trim().slice(-2_000) || null;
    return { ...outcome, detail };
  }

  /** Piece by piece, up to what there is. */
  private async record(runId: string, given: ReadonlySet<string>, from: number): Promise<number> {
    for (let at = from; ;) {
      const { lines, offset } = await this.folders.progress(runId, at);
      const progress = lines.flatMap((line) => progressOf(line, given) ?? []);
      if (progress.length > 0) await this.runs.recordProgress(ACTOR, runId, this.instance.id, progress);
      // More than it may write is not read either: it is being stopped for that.
      if (offset === at || offset > MOST_WRITTEN_BYTES) return offset;
      at = offset;
    }
  }

  private async finish(runId: string, end: Ended): Promise<void> {
    if (await this.runs.finish(ACTOR, runId, this.instance.id, end, this.clock.now())) {
      this.signals.ended(end.status, end.reason);
    }
    // What cannot be removed now is left to the reaper.
    await this.runner
      .remove(runId)
      .catch((error: unknown) => this.signals.trouble(`${runId} is not removed yet`, error));
    await this.folders.remove(runId);
  }
}
