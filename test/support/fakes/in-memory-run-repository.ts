// Test support. RunRepository in memory; judged by the same contract suite as the adapter on PostgreSQL.
import type { Actor } from '../../../src/kernel/actor';
import type { PageRequest, RunFilter } from '../../../src/schedule/domain/listing';
import type { ScheduledRun } from '../../../src/schedule/domain/run';
import type { RunRepository } from '../../../src/schedule/ports/run-repository';
import { type Books, sees } from './books';
import { cutPage } from './page';

export class InMemoryRunRepository implements RunRepository {
  constructor(private readonly books: Books) {}

  find(actor: Actor, runId: string): Promise<ScheduledRun | null> {
    const run = this.books.runs.get(runId);
    return Promise.resolve(run !== undefined && sees(actor, run.owner) ? run : null);
  }

  list(actor: Actor, { taskId, status, trigger, since, until }: RunFilter, page: PageRequest): Promise<ScheduledRun[]> {
    const rows = [...this.books.runs.values()].filter(
      (run) =>
        sees(actor, run.owner) &&
        (taskId === undefined || run.taskId === taskId) &&
        (status === undefined || run.status === status) &&
        (trigger === undefined || run.trigger === trigger) &&
        (since === undefined || run.scheduledFor >= since) &&
        (until === undefined || run.scheduledFor < until),
    );
    return Promise.resolve(cutPage(rows, page));
  }
}
