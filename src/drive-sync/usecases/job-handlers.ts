// What a handler of jobs is. There is one for each type, each idempotent: run twice, or half and again, it leaves what one
// run leaves.
import type { ClaimedJob, JobType } from '../domain/job';
import type { Drive } from '../ports/drive';

export interface JobContext {
  readonly drive: Drive;
  readonly now: Date;
  /** Raised when the job was cancelled, its lease is lost, or the process stops: what is safe to leave is left. */
  readonly signal: AbortSignal;
}

export interface JobHandler {
  readonly type: JobType;
  run(job: ClaimedJob, context: JobContext): Promise<void>;
}

export class JobHandlers {
  private readonly byType: ReadonlyMap<string, JobHandler>;

  constructor(handlers: readonly JobHandler[]) {
    this.byType = new Map(handlers.map((handler) => [handler.type, handler]));
  }

  get types(): readonly string[] {
    return [...this.byType.keys()];
  }

  of(type: string): JobHandler | undefined {
    return this.byType.get(type);
  }
}
