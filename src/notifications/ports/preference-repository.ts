// Port. What people want to hear. The empty task id stands for all of them.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Preference } from '../domain/preference';

export interface PreferenceRepository {
  read(actor: UserActor, taskId: string): Promise<Preference | undefined>;
  list(actor: UserActor): Promise<{ readonly taskId: string; readonly preference: Preference }[]>;
  /** In place of what was there. */
  put(actor: UserActor, taskId: string, preference: Preference, now: Date): Promise<void>;
  remove(actor: UserActor, taskId: string): Promise<void>;
}

export const PreferenceRepository = token<PreferenceRepository>('PreferenceRepository');
