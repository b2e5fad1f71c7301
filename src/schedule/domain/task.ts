// Domain aggregate: a scheduled task, the rule its owner wrote and how far it has come. Immutable: every method answers a
// new task, or this very one when nothing changed (then there is nothing to write). What claims, launches and completions
// do to a task is not here but in dispatch.ts and record.ts, column by column: they never hold a whole task.
import type { Owner } from '../../kernel/actor';
import { MomentPassedError, TaskBusyDispatchingError, TaskFinishedError } from './errors';
import { countDue } from './occurrences';
import type { SchedulePolicy } from './schedule-policy';
import { firstRun, momentPart, nextRun, sameSchedule, toWire } from './schedule-spec';
import type { ScheduleSpec, ScheduleType } from './schedule-spec';
import { isTerminal } from './status';
import type { TaskStatus } from './status';
import type { TaskProgress } from './task-progress';
import { readBinding, readDurability, readSpec, readSpecPatch, readTexts, sameInstants } from './task-rule';
import type { ContextMode, OverlapPolicy, RuleInput, TaskRule } from './task-rule';
import { first, MAX_TITLE } from './text-rule';

/** What a person sends to make a task. Identity is not a field of the wire: the door adds the owner. */
export interface CreateTaskFields extends RuleInput {
  readonly owner: Owner;
  /** Absent: durable, unless there is a session. */
  readonly durable?: boolean | null;
  readonly sessionId?: string | null;
}

/** What a person sends to change one: `null` and absent both mean "as it was". */
export type TaskPatch = RuleInput;

/** `task-` and 32 hexadecimal digits; opaque to everyone who reads it. */
export const TASK_ID_PREFIX = 'task-';

const COPY_SUFFIX = ' (copy)';

export class ScheduledTask {
  /** For storage and for the functions below: both halves are believed as they are. People come in by `create`. */
  constructor(
    readonly rule: TaskRule,
    readonly progress: TaskProgress,
  ) {}

  /** Order of refusals: texts, schedule, context mode. The thread itself is looked up by the use case afterwards. */
  static create(fields: CreateTaskFields, policy: SchedulePolicy, now: Date, id: string): ScheduledTask {
    const texts = readTexts(fields);
    const spec = readSpec(fields, now);
    const nextRunAt = firstRun(spec, now, policy.minOnceDelaySeconds, momentPart(fields.scheduleSpec));
    const binding = readBinding(fields);
    const sessionId = readDurability(fields.durable, fields.sessionId);
    return new ScheduledTask(
      {
        id,
        owner: fields.owner,
        ...texts,
        ...binding,
        sessionId,
        spec,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      },
      { ...BLANK, nextRunAt },
    );
  }

  /** Refused while running: the round in flight was claimed under the old rule and writes next_run_at. */
  edit(patch: TaskPatch, policy: SchedulePolicy, now: Date): ScheduledTask {
    this.refuseWhileRunning();
    const texts = readTexts(patch, this.rule);
    const spec = readSpecPatch(patch, this.rule.spec, now);
    const progress = sameInstants(spec, this.rule.spec)
      ? this.progress
      : this.rearmed(spec, momentPart(patch.scheduleSpec), policy, now);
    const binding = readBinding(patch, this.rule);
    const rule = {
      ...this.rule,
      ...texts,
      ...binding,
      spec: sameSchedule(spec, this.rule.spec) ? this.rule.spec : spec,
    };
    return sameRule(rule, this.rule) ? this : new ScheduledTask({ ...rule, updatedAt: now }, progress);
  }

  /** A due occurrence that has not been claimed yet is given up and counted: pausing means "not now". */
  pause(now: Date): ScheduledTask {
    this.refuseWhileRunning();
    if (this.status === 'paused') return this;
    if (this.rule.spec.type === 'once' && isTerminal(this.status)) throw new TaskFinishedError(this.id, this.status);
    const missedOccurrences = this.missedOccurrences + this.dueOccurrences(now);
    return this.moved({ status: 'paused', nextRunAt: nextRun(this.rule.spec, now), missedOccurrences }, now);
  }

  /** From now on, never from the past: the time a task was paused has no occurrences, so none is run or counted. */
  resume(now: Date): ScheduledTask {
    this.refuseWhileRunning();
    if (this.status === 'enabled' && this.nextRunAt !== null) return this;
    const { spec } = this.rule;
    if (spec.type === 'once' && isTerminal(this.status)) throw new TaskFinishedError(this.id, this.status);
    const nextRunAt = nextRun(spec, now);
    if (nextRunAt === null && spec.type === 'once') throw new MomentPassedError(this.id, spec.runAt);
    return this.moved({ status: 'enabled', nextRunAt }, now);
  }

  /** In every state, running too: its flight goes on, keeps its place and writes its own row; the task is gone at once. */
  delete(now: Date): ScheduledTask {
    if (this.deletedAt !== null) return this;
    const status = isTerminal(this.status) ? this.status : 'cancelled';
    const missedOccurrences = this.missedOccurrences + this.dueOccurrences(now);
    const gone = this.moved({ status, nextRunAt: null, missedOccurrences }, now);
    return new ScheduledTask({ ...gone.rule, deletedAt: now }, gone.progress);
  }

  /**
   * A new task with the same rule and no history, submitted like any other: a moment that has passed is refused, unless
   * `changes` brings another. A copy of a paused task is paused: it must not start what its model was kept from.
   */
  duplicate(changes: RuleInput, policy: SchedulePolicy, now: Date, id: string): ScheduledTask {
    const { rule } = this;
    const copy = ScheduledTask.create(
      {
        owner: rule.owner,
        title: changes.title ?? first(rule.title, MAX_TITLE - COPY_SUFFIX.length) + COPY_SUFFIX,
        prompt: changes.prompt ?? rule.prompt,
        assistantId: changes.assistantId ?? rule.assistantId,
        // Fresh is what nothing said means; said, it would drop a thread that is sent alone.
        contextMode: changes.contextMode ?? (rule.threadId === null ? null : rule.contextMode),
        threadId: changes.threadId ?? rule.threadId,
        workingFolder: changes.workingFolder ?? rule.workingFolder,
        scheduleType: changes.scheduleType ?? rule.spec.type,
        scheduleSpec: changes.scheduleSpec ?? toWire(rule.spec),
        timezone: changes.timezone ?? rule.spec.zone.name,
        overlapPolicy: changes.overlapPolicy ?? rule.overlapPolicy,
        misfireGraceSeconds: changes.misfireGraceSeconds ?? rule.misfireGraceSeconds,
        queueTimeoutSeconds: changes.queueTimeoutSeconds ?? rule.queueTimeoutSeconds,
        recurring: changes.recurring ?? rule.recurring,
        sessionId: rule.sessionId,
      },
      policy,
      now,
      id,
    );
    return this.status === 'paused' ? new ScheduledTask(copy.rule, { ...copy.progress, status: 'paused' }) : copy;
  }

  /** Under a new time-zone database: a future instant is computed again, a due one stays and runs. */
  recompute(now: Date): ScheduledTask {
    const { spec } = this.rule;
    if (spec.type === 'once' || this.nextRunAt === null || this.nextRunAt <= now) return this;
    if (this.status !== 'enabled' && this.status !== 'paused') return this;
    const nextRunAt = nextRun(spec, now);
    if (nextRunAt?.getTime() === this.nextRunAt.getTime()) return this;
    return new ScheduledTask(this.rule, { ...this.progress, nextRunAt });
  }

  /** The next planned instants, as far as they are known; none while the task is paused or finished. */
  upcoming(count: number): Date[] {
    if (this.status !== 'enabled' && this.status !== 'running') return [];
    const instants: Date[] = [];
    for (let at = this.nextRunAt; at !== null && instants.length < count; at = nextRun(this.rule.spec, at)) {
      instants.push(at);
    }
    return instants;
  }

  get id(): string {
    return this.rule.id;
  }
  get owner(): Owner {
    return this.rule.owner;
  }
  get title(): string {
    return this.rule.title;
  }
  get prompt(): string {
    return this.rule.prompt;
  }
  get assistantId(): string {
    return this.rule.assistantId;
  }
  get contextMode(): ContextMode {
    return this.rule.contextMode;
  }
  get threadId(): string | null {
    return this.rule.threadId;
  }
  get workingFolder(): string | null {
    return this.rule.workingFolder;
  }
  get spec(): ScheduleSpec {
    return this.rule.spec;
  }
  get scheduleType(): ScheduleType {
    return this.rule.spec.type;
  }
  get overlapPolicy(): OverlapPolicy {
    return this.rule.overlapPolicy;
  }
  get queueTimeoutSeconds(): number | null {
    return this.rule.queueTimeoutSeconds;
  }
  get recurring(): boolean {
    return this.rule.recurring;
  }
  get sessionId(): string | null {
    return this.rule.sessionId;
  }
  get misfireGraceSeconds(): number | null {
    return this.rule.misfireGraceSeconds;
  }
  get createdAt(): Date {
    return this.rule.createdAt;
  }
  get updatedAt(): Date {
    return this.rule.updatedAt;
  }
  get deletedAt(): Date | null {
    return this.rule.deletedAt;
  }
  get status(): TaskStatus {
    return this.progress.status;
  }
  get nextRunAt(): Date | null {
    return this.progress.nextRunAt;
  }
  get lastRunAt(): Date | null {
    return this.progress.lastRunAt;
  }
  get lastRunId(): string | null {
    return this.progress.lastRunId;
  }
  get lastThreadId(): string | null {
    return this.progress.lastThreadId;
  }
  get lastError(): string | null {
    return this.progress.lastError;
  }
  get runCount(): number {
    return this.progress.runCount;
  }
  get missedOccurrences(): number {
    return this.progress.missedOccurrences;
  }
  get version(): number {
    return this.progress.version;
  }

  /** A new schedule is submitted like a first one; it wakes a finished task, and leaves a paused one paused. */
  private rearmed(
    spec: ScheduleSpec,
    part: ReturnType<typeof momentPart>,
    policy: SchedulePolicy,
    now: Date,
  ): TaskProgress {
    return {
      ...this.progress,
      status: this.status === 'paused' ? 'paused' : 'enabled',
      nextRunAt: firstRun(spec, now, policy.minOnceDelaySeconds, part),
      missedOccurrences: this.missedOccurrences + this.dueOccurrences(now),
    };
  }

  /** What would be lost if next_run_at moved now. Only an enabled task has occurrences. */
  private dueOccurrences(now: Date): number {
    return this.status === 'enabled' ? countDue(this.rule.spec, this.nextRunAt, now) : 0;
  }

  private moved(progress: Partial<TaskProgress>, now: Date): ScheduledTask {
    return new ScheduledTask({ ...this.rule, updatedAt: now }, { ...this.progress, ...progress });
  }

  private refuseWhileRunning(): void {
    if (this.status === 'running') throw new TaskBusyDispatchingError(this.id);
  }
}

/** A task that has not done anything yet. */
export const BLANK: TaskProgress = Object.freeze({
  status: 'enabled',
  nextRunAt: null,
  lastRunAt: null,
  lastRunId: null,
  lastThreadId: null,
  lastError: null,
  runCount: 0,
  missedOccurrences: 0,
  version: 1,
});

function sameRule(a: TaskRule, b: TaskRule): boolean {
  return (Object.keys(b) as (keyof TaskRule)[]).every((field) => a[field] === b[field]);
}
