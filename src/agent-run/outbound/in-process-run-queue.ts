// Outbound adapter, fills RunQueue within this process: for each assistant so many places, and a line of those who
// wait. Nothing is lost with the process that is not in the database: a run is stored before it is submitted.
import type { Execution, NeverStarted, RunJob, RunQueue, RunWorker } from '../ports/run-queue';

type Answer = { readonly startedAt: Date } | NeverStarted;

interface Waiting {
  job: RunJob;
  readonly answer: (answer: Answer | Promise<Answer>) => void;
}

/** One assistant's runs. */
interface Line {
  busy: number;
  readonly waiting: Waiting[];
}

export class InProcessRunQueue implements RunQueue {
  private readonly lines = new Map<string, Line>();
  private worker: RunWorker | undefined;
  private closed = false;

  submit(job: RunJob): Promise<Answer> {
    if (this.closed) return Promise.resolve('closed');
    return new Promise<Answer>((answer) => {
      const { assistantId } = job.run.fields;
      const line = this.lines.get(assistantId) ?? { busy: 0, waiting: [] };
      this.lines.set(assistantId, line);
      line.waiting.push({ job, answer });
      this.advance(assistantId, line);
    });
  }

  withdraw(agentRunId: string): boolean {
    for (const { waiting } of this.lines.values()) {
      if (waiting.some((place) => withdrawPart(place, agentRunId))) return true;
      const at = waiting.findIndex(({ job }) => job.run.id === agentRunId);
      if (at < 0) continue;
      waiting.splice(at, 1)[0]?.answer('withdrawn');
      return true;
    }
    return false;
  }

  serve(worker: RunWorker): void {
    this.worker = worker;
    for (const [assistantId, line] of this.lines) this.advance(assistantId, line);
  }

  close(): void {
    this.closed = true;
    for (const { waiting } of this.lines.values()) {
      for (const { answer } of waiting.splice(0)) answer('closed');
    }
  }

  /** The first in line decides how many places there are: settings may have changed since the last one came. */
  private advance(assistantId: string, line: Line): void {
    for (;;) {
      const next = line.waiting[0];
      if (this.worker === undefined || next === undefined) break;
      if (next.job.places !== null && line.busy >= next.job.places) break;
      line.waiting.shift();
      line.busy += 1;
      next.answer(this.execute(this.worker, next.job, () => this.leave(assistantId, line)));
    }
    if (line.busy === 0 && line.waiting.length === 0) this.lines.delete(assistantId);
  }

  private async execute(worker: RunWorker, job: RunJob, leave: () => void): Promise<Answer> {
    let execution: Execution;
    try {
      execution = await worker.execute(job.run, job.together);
    } catch (error) {
      leave();
      throw error;
    }
    void execution.ended.then(leave);
    return { startedAt: execution.startedAt };
  }

  private leave(assistantId: string, line: Line): void {
    line.busy -= 1;
    this.advance(assistantId, line);
  }
}

/** One of the further prompts of a turn: the others keep their place. */
function withdrawPart(place: Waiting, agentRunId: string): boolean {
  const { together } = place.job;
  if (together?.some(({ id }) => id === agentRunId) !== true) return false;
  place.job = { ...place.job, together: together.filter(({ id }) => id !== agentRunId) };
  return true;
}
