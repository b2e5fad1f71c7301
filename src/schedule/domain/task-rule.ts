// Domain value: what the owner asked for (table scheduled_tasks), and the rules of its fields. How far the task has come
// is task-progress.ts; what a schedule is, schedule-spec.ts.
import type { Owner } from '../../kernel/actor';
import { InvalidTaskError } from './errors';
import { inZone, parseScheduleSpec, sameSchedule } from './schedule-spec';
import type { ScheduleSpec } from './schedule-spec';
import { MAX_WORKING_FOLDER, prompt, storable, title } from './text-rule';

export const CONTEXT_MODES = ['fresh_thread_per_run', 'reuse_thread'] as const;
export type ContextMode = (typeof CONTEXT_MODES)[number];

/** What becomes of an occurrence whose turn comes while the last run is active or the thread is busy. */
export const OVERLAP_POLICIES = ['skip', 'queue'] as const;
export type OverlapPolicy = (typeof OVERLAP_POLICIES)[number];

/** Less is a skip in disguise, more than a week nobody waits for. */
const QUEUE_TIMEOUT = { least: 60, most: 604_800 } as const;
/** A year: a grace beyond it is no grace. */
const MAX_GRACE_SECONDS = 31_536_000;
const THREAD_ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface TaskRule {
  readonly id: string;
  readonly owner: Owner;
  readonly title: string;
  readonly prompt: string;
  readonly assistantId: string;
  readonly contextMode: ContextMode;
  /** Set exactly when `contextMode` is `reuse_thread`. */
  readonly threadId: string | null;
  /** A folder the owner chose for the runs; `null`: the thread's own. Which are allowed is the operator's word. */
  readonly workingFolder: string | null;
  readonly spec: ScheduleSpec;
  readonly overlapPolicy: OverlapPolicy;
  /** Later than this, an occurrence is skipped as `too_late`; `null`: it runs whenever its turn comes. */
  readonly misfireGraceSeconds: number | null;
  /** Of a task that queues: a run that has waited longer is given up; `null`: as long as the house allows. */
  readonly queueTimeoutSeconds: number | null;
  /** False: it fires once, whatever its schedule says, and is removed when that run was delivered. */
  readonly recurring: boolean;
  /** The session it lives and dies with; `null`: it is durable. */
  readonly sessionId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** Values as they came over the wire, not yet believed. `null` is the same as absent in every field. */
export interface RuleInput {
  readonly title?: string | null;
  readonly prompt?: string | null;
  readonly assistantId?: string | null;
  readonly contextMode?: string | null;
  readonly threadId?: string | null;
  /** An empty text takes the folder away again. */
  readonly workingFolder?: string | null;
  readonly scheduleType?: unknown;
  readonly scheduleSpec?: unknown;
  readonly timezone?: unknown;
  readonly overlapPolicy?: string | null;
  /** 0 takes the grace away again. */
  readonly misfireGraceSeconds?: number | null;
  /** 0 goes back to the house's limit. */
  readonly queueTimeoutSeconds?: number | null;
  readonly recurring?: boolean | null;
}

/** The words of a rule, read field by field; whatever is absent is kept from `stored`. */
export type RuleTexts = Pick<
  TaskRule,
  | 'title'
  | 'prompt'
  | 'assistantId'
  | 'workingFolder'
  | 'overlapPolicy'
  | 'misfireGraceSeconds'
  | 'queueTimeoutSeconds'
  | 'recurring'
>;

export function readTexts(input: RuleInput, stored?: RuleTexts): RuleTexts {
  return {
    title: given(input.title) || !stored ? title(input.title ?? '') : stored.title,
    prompt: given(input.prompt) || !stored ? prompt(input.prompt ?? '') : stored.prompt,
    assistantId: given(input.assistantId) || !stored ? assistant(input.assistantId) : stored.assistantId,
    workingFolder: given(input.workingFolder) ? folder(input.workingFolder) : (stored?.workingFolder ?? null),
    overlapPolicy: given(input.overlapPolicy)
      ? oneOf(OVERLAP_POLICIES, input.overlapPolicy, 'overlap_policy')
      : (stored?.overlapPolicy ?? 'skip'),
    misfireGraceSeconds: given(input.misfireGraceSeconds)
      ? grace(input.misfireGraceSeconds)
      : (stored?.misfireGraceSeconds ?? null),
    queueTimeoutSeconds: given(input.queueTimeoutSeconds)
      ? queueTimeout(input.queueTimeoutSeconds)
      : (stored?.queueTimeoutSeconds ?? null),
    recurring: input.recurring ?? stored?.recurring ?? true,
  };
}

/**
 * Mode and thread belong together: each is completed from what is stored. Going fresh lets the thread go, also one that
 * is sent along; a thread alone does not make a fresh task go on with it, and is refused rather than dropped in silence.
 * Whether the thread exists and is one's own is asked by the use case.
 */
export function readBinding(
  input: RuleInput,
  stored?: Pick<TaskRule, 'contextMode' | 'threadId'>,
): Pick<TaskRule, 'contextMode' | 'threadId'> {
  const contextMode = given(input.contextMode)
    ? oneOf(CONTEXT_MODES, input.contextMode, 'context_mode')
    : (stored?.contextMode ?? 'fresh_thread_per_run');
  if (given(input.threadId) && !isThreadId(input.threadId)) {
    throw new InvalidTaskError('thread_id', 'thread_id must be 1 to 64 ASCII letters, digits, hyphens or underscores.');
  }
  if (contextMode === 'fresh_thread_per_run') {
    if (given(input.threadId) && !given(input.contextMode)) {
      throw new InvalidTaskError(
        'thread_id',
        'thread_id is for context_mode reuse_thread: send that too, or leave thread_id out for a fresh thread per run.',
      );
    }
    return { contextMode, threadId: null };
  }
  const threadId = input.threadId ?? stored?.threadId ?? null;
  if (threadId === null) {
    throw new InvalidTaskError('thread_id', 'context_mode reuse_thread needs a thread_id: the thread to go on with.');
  }
  return { contextMode, threadId };
}

/**
 * A task is durable, or lives and dies with a session: nothing in between, and nothing silently the other. Whether the
 * session exists and is one's own is asked by the use case.
 */
export function readDurability(
  durable: boolean | null | undefined,
  sessionId: string | null | undefined,
): string | null {
  const session = sessionId ?? null;
  if (session === null && durable === false) {
    throw new InvalidTaskError('session_id', 'durable: false needs a session_id: the session that the task ends with.');
  }
  if (session !== null && durable === true) {
    throw new InvalidTaskError('durable', 'A task with a session_id is not durable: it ends with its session.');
  }
  return session;
}

/** A whole schedule as submitted; `delay_seconds` is counted from `now` and kept as the moment it names. */
export function readSpec(input: RuleInput, now: Date): ScheduleSpec {
  return parseScheduleSpec(input.scheduleType, input.scheduleSpec, input.timezone, now);
}

/** The stored schedule with what the patch changes of it: the spec in its zone, or the zone under its spec. */
export function readSpecPatch(input: RuleInput, stored: ScheduleSpec, now: Date): ScheduleSpec {
  if (given(input.scheduleType) && input.scheduleType !== stored.type) {
    throw new InvalidTaskError(
      'schedule_type',
      `The type of a schedule cannot be changed; this one is ${stored.type}. Make a new task for the other type.`,
    );
  }
  if (given(input.scheduleSpec)) {
    return parseScheduleSpec(stored.type, input.scheduleSpec, input.timezone ?? stored.zone.name, now);
  }
  return given(input.timezone) ? inZone(stored, input.timezone) : stored;
}

/** A once moment under another zone's name is the same occurrence; a cron expression is read anew in every zone. */
export function sameInstants(a: ScheduleSpec, b: ScheduleSpec): boolean {
  if (a.type === 'once' && b.type === 'once') return a.runAt.getTime() === b.runAt.getTime();
  return sameSchedule(a, b);
}

export function isThreadId(text: string): boolean {
  return THREAD_ID.test(text);
}

function assistant(id: unknown): string {
  const known = storable(id ?? '', 'assistant_id');
  if (known === '' || known.length > 128) {
    throw new InvalidTaskError('assistant_id', 'assistant_id must be the id of an assistant, 1 to 128 characters.');
  }
  return known;
}

function folder(path: unknown): string | null {
  const known = storable(path, 'working_folder');
  if (known.length > MAX_WORKING_FOLDER) {
    throw new InvalidTaskError('working_folder', `The path is longer than ${MAX_WORKING_FOLDER} characters.`);
  }
  return known === '' ? null : known;
}

function grace(seconds: unknown): number | null {
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0 || seconds > MAX_GRACE_SECONDS) {
    throw new InvalidTaskError(
      'misfire_grace_seconds',
      `misfire_grace_seconds must be a whole number of seconds up to ${MAX_GRACE_SECONDS}; 0 means no limit.`,
    );
  }
  return seconds === 0 ? null : seconds;
}

function queueTimeout(seconds: number): number | null {
  const { least, most } = QUEUE_TIMEOUT;
  if (seconds === 0) return null;
  if (!Number.isInteger(seconds) || seconds < least || seconds > most) {
    throw new InvalidTaskError(
      'queue_timeout_seconds',
      `queue_timeout_seconds must be a whole number of seconds from ${least} to ${most}; 0 means the usual limit.`,
    );
  }
  return seconds;
}

function oneOf<T extends string>(known: readonly T[], value: unknown, field: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new InvalidTaskError(field, `${field} must be one of: ${known.join(', ')}.`);
  return found;
}

function given<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
