// Takes over the tasks of a `.scheduled_tasks.json`: the bare list of the cron lesson, or the object with `tasks` that its model
// writes. Entry by entry: one that is bad is reported and left out, the rest is taken.
import type { UserActor } from '../../kernel/actor';
import { DomainError } from '../../kernel/domain-error';
import { InvalidTaskError } from '../domain/errors';
import { otherReading } from '../domain/lesson-cron';
import type { ScheduledTask } from '../domain/task';
import type { CreateTask } from './create-task';

export interface ImportTasksInput {
  /** What stood in the file. */
  readonly file: unknown;
  /** The zone whose wall clock the file was written for; null: the house's. */
  readonly timezone: string | null;
  readonly assistantId: string | null;
  /** The conversation that the prompts go into, one after the other; null: each run begins one. */
  readonly threadId: string | null;
}

export interface ImportedEntry {
  readonly index: number;
  /** Its name in the file. */
  readonly id: string | null;
  readonly cron: string | null;
  readonly task: ScheduledTask | null;
  /** Why it was left out. */
  readonly error: string | null;
  /** What the person should know of one that was taken. */
  readonly notes: readonly string[];
}

const MOST = 1_000;
const KNOWN = ['id', 'cron', 'prompt', 'recurring', 'durable', 'createdAt'];
const TITLE = 60;

export class ImportTasks {
  constructor(
    private readonly createTask: CreateTask,
    private readonly defaultZone: string,
  ) {}

  /** @throws InvalidTaskError when it is no such file at all. */
  async run(actor: UserActor, input: ImportTasksInput, now: Date): Promise<ImportedEntry[]> {
    const report: ImportedEntry[] = [];
    for (const [index, entry] of entriesOf(input.file).entries())
      report.push(await this.take(actor, input, entry, index, now));
    return report;
  }

  private async take(
    actor: UserActor,
    input: ImportTasksInput,
    entry: unknown,
    index: number,
    now: Date,
  ): Promise<ImportedEntry> {
    const fields = (typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? entry : {}) as Record<
      string,
      unknown
    >;
    const { id, cron, prompt, recurring, durable } = fields;
    const told = { index, id: typeof id === 'string' ? id : null, cron: typeof cron === 'string' ? cron : null };
    const wrong = wrongWith(fields);
    if (wrong !== null) return { ...told, task: null, error: wrong, notes: [] };
    try {
      const task = await this.createTask.run(
        actor,
        {
          title: first(String(prompt)),
          prompt: String(prompt),
          scheduleType: 'cron',
          scheduleSpec: { cron },
          timezone: input.timezone ?? this.defaultZone,
          assistantId: input.assistantId,
          recurring: recurring as boolean | undefined,
          ...(input.threadId === null
            ? {}
            : { contextMode: 'reuse_thread', threadId: input.threadId, overlapPolicy: 'queue' }),
        },
        now,
      );
      return { ...told, task, error: null, notes: notesOn(fields, String(cron), durable) };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      return { ...told, task: null, error: error.message, notes: [] };
    }
  }
}

function entriesOf(file: unknown): unknown[] {
  const entries: unknown =
    typeof file === 'object' && file !== null && 'tasks' in file && !Array.isArray(file) ? file.tasks : file;
  if (!Array.isArray(entries)) {
    throw new InvalidTaskError('file', 'This is no .scheduled_tasks.json: a list of tasks, or {"tasks": [...]}.');
  }
  if (entries.length > MOST) throw new InvalidTaskError('file', `At most ${MOST} tasks can be imported at once.`);
  return entries;
}

function wrongWith({ cron, prompt, recurring, durable }: Record<string, unknown>): string | null {
  if (typeof cron !== 'string') return 'It has no "cron", a text of five fields.';
  if (typeof prompt !== 'string') return 'It has no "prompt", a text.';
  if (recurring !== undefined && typeof recurring !== 'boolean') return '"recurring" must be true or false.';
  if (durable !== undefined && typeof durable !== 'boolean') return '"durable" must be true or false.';
  return null;
}

function notesOn(fields: Record<string, unknown>, cron: string, durable: unknown): string[] {
  const other = otherReading(cron);
  const unknown = Object.keys(fields).filter((key) => !KNOWN.includes(key));
  return [
    ...(other === null ? [] : [`It means other days here. ${other.words}`]),
    ...(durable === false ? ['It was bound to a session that is over; it is durable now.'] : []),
    ...(unknown.length === 0 ? [] : [`Not taken over: ${unknown.join(', ')}.`]),
  ];
}

function first(prompt: string): string {
  const line = prompt.trim().split('\n')[0] ?? '';
  return line.length > TITLE ? `${line.slice(0, TITLE - 1)}…` : line;
}
