// Port. Where tasks are kept for the people who own them. What a firing writes is not here: see dispatch-ledger.ts.
import type { Actor, SystemActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { PageRequest, TaskFilter } from '../domain/listing';
import type { StoredTask } from '../domain/stored-task';
import type { ScheduledTask } from '../domain/task';
import type { UnreadableTask } from '../domain/unreadable-task';

export interface TaskForEdit {
  readonly task: ScheduledTask;
  /** The run of a claim that a save takes back; null when there is none. */
  readonly openClaim: string | null;
}

export interface TaskRepository {
  /** Stores a new task with its progress. Like every change by a person, it tells the house of it in the same transaction. */
  add(actor: Actor, task: ScheduledTask): Promise<void>;

  /**
   * The task as it stands; null when it is absent, deleted or somebody else's.
   * @throws CorruptTaskError when the stored row does not make a task.
   */
  find(actor: Actor, taskId: string): Promise<ScheduledTask | null>;

  /**
   * The task as an edit meets it: a claim that was made ahead of its instant, and can still be taken back, has not happened.
   * @throws CorruptTaskError as `find` does.
   */
  findForEdit(actor: Actor, taskId: string): Promise<TaskForEdit | null>;

  /** The row as it lies in the tables, for the repair of one that `find` calls corrupt; null where `find` answers null. */
  findStored(actor: Actor, taskId: string): Promise<StoredTask | null>;

  /**
   * Newest first by creation, then id. Rows that do not make a task are left out and logged; a page is shorter than its
   * limit only where the list ends.
   */
  list(actor: Actor, filter: TaskFilter, page: PageRequest): Promise<ScheduledTask[]>;

  /**
   * Writes rule and progress when nobody wrote the progress since it was read, which raises the version by one, and takes
   * the open claim back under which it was read. Answers false, and writes nothing, when somebody wrote, or the claim has
   * closed since.
   */
  save(actor: Actor, task: ScheduledTask, openClaim?: string | null): Promise<boolean>;

  /**
   * Tasks of everybody that will fire again, or would if they were resumed, by id, beginning after `afterId`. Rows that do
   * not make a task are left out, so a page may be short before the last one.
   */
  recurring(actor: SystemActor, afterId: string, limit: number): Promise<ScheduledTask[]>;

  /** Rows of everybody that do not make a task, by id; every row is looked at until `limit` are found. */
  unreadable(actor: SystemActor, limit: number): Promise<UnreadableTask[]>;

  /** The sessions that tasks of anybody are bound to. */
  boundSessions(actor: SystemActor): Promise<string[]>;

  /** The ids of tasks that are bound to these sessions, whether they can be read or not. */
  ofSessions(actor: SystemActor, sessionIds: readonly string[]): Promise<string[]>;

  /** Deletes a task without reading it, for rows that make none. False when there is none to delete. */
  discard(actor: Actor, taskId: string, now: Date): Promise<boolean>;
}

export const TaskRepository = token<TaskRepository>('TaskRepository');
