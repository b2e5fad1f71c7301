// Port. Runs and their files. The active run of a project is decided here: by one unique index, whoever asks first.
import type { Actor, SystemActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { ClassificationRun, ClassifiedFile, Cursor, Decision } from '../domain/classification-run';
import type { FileProgress } from '../domain/progress';
import type { Outcome } from '../domain/run-outcome';

export interface RunFile {
  readonly evidenceId: string;
  readonly name: string;
}

/** A process, and the folders and the engine that it works with. */
export interface Carrier {
  readonly owner: string;
  readonly place: string;
}

export interface RunRepository {
  /** Throws ActiveRunError, which names the active one. */
  add(actor: Actor, run: ClassificationRun, files: readonly RunFile[]): Promise<void>;

  /** Null: absent, or of another tenant. */
  find(actor: Actor, runId: string): Promise<ClassificationRun | null>;

  list(
    actor: Actor,
    filter: { readonly projectId?: string },
    page: { readonly limit: number; readonly after?: Cursor },
  ): Promise<ClassificationRun[]>;

  files(actor: Actor, runId: string): Promise<ClassifiedFile[]>;

  /** Active runs are asked to end; a queued one is cancelled at once. Null: absent. One that is over stays as it is. */
  requestCancel(actor: Actor, runId: string, now: Date): Promise<ClassificationRun | null>;

  /**
   * When there is something to take: a queued one at once, one of this place when its owner is dead or was not heard of for
   * a lease, one of another place a good while later.
   */
  nextToTake(actor: SystemActor, place: string): Promise<Date | null>;

  /** Oldest queued ones become `starting`, and ours. Two callers never get the same. */
  claim(
    actor: SystemActor,
    { owner, place }: Carrier,
    order: { readonly limit: number; readonly leaseSeconds: number; readonly deadlineSeconds: number },
    now: Date,
  ): Promise<ClassificationRun[]>;

  /** Active runs whose owner is dead or has not been heard of become ours. */
  takeOver(actor: SystemActor, carrier: Carrier, limit: number, leaseSeconds: number): Promise<ClassificationRun[]>;

  /** Null: it is not ours any more. Answers the run as it is, with a wish to cancel it. */
  keep(actor: SystemActor, runId: string, owner: string, leaseSeconds: number): Promise<ClassificationRun | null>;

  /** Whoever comes next may go on with these at once. */
  letGo(actor: SystemActor, owner: string): Promise<void>;

  /** From `starting`. False: it is not ours any more. */
  markRunning(actor: SystemActor, runId: string, owner: string, runner: string, now: Date): Promise<boolean>;

  /** The same line again changes nothing. */
  recordProgress(actor: SystemActor, runId: string, owner: string, progress: readonly FileProgress[]): Promise<void>;

  /** The first to end it wins. The others are told in the same transaction. */
  finish(
    actor: SystemActor,
    runId: string,
    owner: string,
    end: Outcome & { readonly detail: string | null },
    now: Date,
  ): Promise<boolean>;

  /** Which of these are active. */
  active(actor: SystemActor, runIds: readonly string[]): Promise<string[]>;

  /** Null: no such file in the run. */
  review(
    actor: Actor,
    runId: string,
    evidenceId: string,
    review: { readonly decision: Decision; readonly controlFamily: string | null; readonly by: string },
    now: Date,
  ): Promise<ClassifiedFile | null>;
}

export const RunRepository = token<RunRepository>('RunRepository');
