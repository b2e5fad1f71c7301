// Use case. What somebody wants to hear, for all of their tasks and for single ones.
import type { UserActor } from '../../kernel/actor';
import { TaskUnknownError } from '../domain/errors';
import { effective, type EffectivePreference, type Preference } from '../domain/preference';
import type { PreferenceRepository } from '../ports/preference-repository';
import type { TaskLookup } from '../ports/task-lookup';

export interface PreferenceReading {
  /** As it was set; null where it was not. */
  readonly own: Preference;
  readonly effective: EffectivePreference;
}

const NOTHING: Preference = { notifyOnFailure: null, notifyOnSuccess: null, digestSeconds: null };

export class SetPreferences {
  constructor(
    private readonly preferences: PreferenceRepository,
    private readonly tasks: TaskLookup,
  ) {}

  /**
   * @param taskId empty: for all of them
   * @throws TaskUnknownError
   */
  async read(actor: UserActor, taskId: string): Promise<PreferenceReading> {
    await this.requireTask(actor, taskId);
    const all = new Map((await this.preferences.list(actor)).map((one) => [one.taskId, one.preference]));
    const ofTask = taskId === '' ? undefined : all.get(taskId);
    return { own: all.get(taskId) ?? NOTHING, effective: effective(ofTask, all.get('')) };
  }

  async change(actor: UserActor, taskId: string, change: Partial<Preference>, now: Date): Promise<PreferenceReading> {
    await this.requireTask(actor, taskId);
    const before = (await this.preferences.read(actor, taskId)) ?? NOTHING;
    const after = { ...before, ...change };
    const empty = after.notifyOnFailure === null && after.notifyOnSuccess === null && after.digestSeconds === null;
    if (empty) await this.preferences.remove(actor, taskId);
    else await this.preferences.put(actor, taskId, after, now);
    return this.read(actor, taskId);
  }

  private async requireTask(actor: UserActor, taskId: string): Promise<void> {
    if (taskId !== '' && !(await this.tasks.exists(actor, taskId))) throw new TaskUnknownError(taskId);
  }
}
