// Test support. TaskRepository in memory; judged by the same contract suite as the adapter on PostgreSQL.
import type { Actor, SystemActor } from '../../../src/kernel/actor';
import { CorruptTaskError } from '../../../src/schedule/domain/errors';
import type { PageRequest, TaskFilter } from '../../../src/schedule/domain/listing';
import { restoreTask, type StoredTask } from '../../../src/schedule/domain/stored-task';
import type { ScheduledTask } from '../../../src/schedule/domain/task';
import type { UnreadableTask } from '../../../src/schedule/domain/unreadable-task';
import type { TaskForEdit, TaskRepository } from '../../../src/schedule/ports/task-repository';
import { type Books, sees, stored } from './books';
import { cutPage } from './page';

export class InMemoryTaskRepository implements TaskRepository {
  constructor(private readonly books: Books) {}

  add(actor: Actor, task: ScheduledTask): Promise<void> {
    if (!sees(actor, task.owner)) return Promise.reject(new Error('a row of somebody else'));
    this.books.tasks.set(task.id, { stored: stored(task), lease: null });
    return Promise.resolve();
  }

  async find(actor: Actor, taskId: string): Promise<ScheduledTask | null> {
    const row = await this.findStored(actor, taskId);
    return row === null ? null : restoreTask(row);
  }

  async findForEdit(actor: Actor, taskId: string): Promise<TaskForEdit | null> {
    const row = await this.findStored(actor, taskId);
    if (row === null) return null;
    const claim = this.books.openClaim(row);
    const openClaim = claim?.id ?? null;
    const unclaimed = claim === undefined ? row : { ...row, status: 'enabled', nextRunAt: claim.scheduledFor };
    return { task: restoreTask(unclaimed), openClaim };
  }

  findStored(actor: Actor, taskId: string): Promise<StoredTask | null> {
    return Promise.resolve(this.books.entry(actor, taskId)?.stored ?? null);
  }

  list(actor: Actor, filter: TaskFilter, page: PageRequest): Promise<ScheduledTask[]> {
    const rows = [...this.books.tasks.values()]
      .map((entry) => entry.stored)
      .filter((row) => row.deletedAt === null && sees(actor, row.owner) && matches(row, filter));
    return Promise.resolve(cutPage(rows.flatMap(readable), page));
  }

  save(actor: Actor, task: ScheduledTask, openClaim: string | null = null): Promise<boolean> {
    const entry = this.books.tasks.get(task.id);
    if (entry === undefined || !sees(actor, entry.stored.owner)) return Promise.resolve(false);
    const { version, lastRunAt, lastRunId, lastThreadId, runCount, createdAt } = entry.stored;
    if (version !== task.version) return Promise.resolve(false);
    if (openClaim !== null) {
      if (this.books.openClaim(entry.stored)?.id !== openClaim) return Promise.resolve(false);
      this.books.runs.delete(openClaim);
      entry.lease = null;
    }
    const kept = { lastRunAt, lastRunId, lastThreadId, runCount, createdAt };
    entry.stored = { ...stored(task), ...kept, version: version + 1 };
    const { deletedAt, updatedAt, status } = task;
    if (deletedAt !== null) this.books.withdraw(task.id, 'task_deleted', deletedAt);
    else if (status === 'paused') this.books.withdraw(task.id, 'task_paused', updatedAt);
    else if (task.threadId !== null) this.books.rebind(task.id, task.threadId);
    return Promise.resolve(true);
  }

  unreadable(_actor: SystemActor, limit: number): Promise<UnreadableTask[]> {
    const rows = [...this.books.tasks.values()].map((entry) => entry.stored).filter((row) => row.deletedAt === null);
    return Promise.resolve(
      rows
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .flatMap(unreadable)
        .slice(0, limit),
    );
  }

  recurring(_actor: SystemActor, afterId: string, limit: number): Promise<ScheduledTask[]> {
    const rows = [...this.books.tasks.values()]
      .map((entry) => entry.stored)
      .filter((row) => row.id > afterId && row.deletedAt === null && row.scheduleType === 'cron')
      .filter((row) => row.status === 'enabled' || row.status === 'paused')
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return Promise.resolve(rows.slice(0, limit).flatMap(readable));
  }

  boundSessions(): Promise<string[]> {
    const bound = [...this.books.tasks.values()].flatMap(({ stored: { sessionId, deletedAt } }) =>
      sessionId === null || deletedAt !== null ? [] : [sessionId],
    );
    return Promise.resolve([...new Set(bound)]);
  }

  ofSessions(_actor: SystemActor, sessionIds: readonly string[]): Promise<string[]> {
    const bound = [...this.books.tasks.values()].filter(
      ({ stored: { sessionId, deletedAt } }) =>
        deletedAt === null && sessionId !== null && sessionIds.includes(sessionId),
    );
    return Promise.resolve(bound.map(({ stored: { id } }) => id));
  }

  discard(actor: Actor, taskId: string, now: Date): Promise<boolean> {
    const entry = this.books.entry(actor, taskId);
    if (entry === undefined) return Promise.resolve(false);
    this.books.apply(entry, { status: 'cancelled', nextRunAt: null });
    entry.stored = { ...entry.stored, deletedAt: now, updatedAt: now };
    this.books.withdraw(taskId, 'task_deleted', now);
    return Promise.resolve(true);
  }
}

function matches(row: StoredTask, { status, scheduleType, assistantId, threadId, text }: TaskFilter): boolean {
  const found = (haystack: string): boolean => haystack.toLowerCase().includes((text ?? '').toLowerCase());
  return (
    (status === undefined || row.status === status) &&
    (scheduleType === undefined || row.scheduleType === scheduleType) &&
    (assistantId === undefined || row.assistantId === assistantId) &&
    (threadId === undefined || row.threadId === threadId) &&
    (text === undefined || found(row.title) || found(row.prompt))
  );
}

function unreadable(row: StoredTask): UnreadableTask[] {
  try {
    restoreTask(row);
    return [];
  } catch (error) {
    if (!(error instanceof CorruptTaskError)) throw error;
    const { id, owner, title, status } = row;
    return [{ id, owner, title, status, error: error.message }];
  }
}

function readable(row: StoredTask): ScheduledTask[] {
  try {
    return [restoreTask(row)];
  } catch (error) {
    if (!(error instanceof CorruptTaskError)) throw error;
    return [];
  }
}
