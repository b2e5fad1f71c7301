// Outbound adapter. Owns table notification_preferences.
import type { UserActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { Preference } from '../domain/preference';
import type { PreferenceRepository } from '../ports/preference-repository';
import { type PreferenceRow, toPreference } from './preference.row';

const LIST = `
  select tenant_id, user_id, task_id, notify_on_failure, notify_on_success, digest_seconds
    from notification_preferences where tenant_id = $1 and user_id = $2 order by task_id`;

const PUT = `
  insert into notification_preferences
    (tenant_id, user_id, task_id, notify_on_failure, notify_on_success, digest_seconds, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (tenant_id, user_id, task_id) do update
    set notify_on_failure = excluded.notify_on_failure, notify_on_success = excluded.notify_on_success,
        digest_seconds = excluded.digest_seconds, updated_at = excluded.updated_at`;

const REMOVE = `delete from notification_preferences where tenant_id = $1 and user_id = $2 and task_id = $3`;

export class SqlPreferenceRepository implements PreferenceRepository {
  constructor(private readonly sessions: Sessions) {}

  async read(actor: UserActor, taskId: string): Promise<Preference | undefined> {
    return (await this.list(actor)).find((one) => one.taskId === taskId)?.preference;
  }

  async list(actor: UserActor): Promise<{ taskId: string; preference: Preference }[]> {
    const { tenantId, userId } = actor;
    const rows = await this.sessions.run(actor, (tx) => tx.query<PreferenceRow>(LIST, [tenantId, userId]));
    return rows.map((row) => ({ taskId: row.task_id, preference: toPreference(row) }));
  }

  async put(actor: UserActor, taskId: string, preference: Preference, now: Date): Promise<void> {
    const { tenantId, userId } = actor;
    const { notifyOnFailure, notifyOnSuccess, digestSeconds } = preference;
    await this.sessions.run(actor, (tx) =>
      tx.query(PUT, [tenantId, userId, taskId, notifyOnFailure, notifyOnSuccess, digestSeconds, now]),
    );
  }

  async remove(actor: UserActor, taskId: string): Promise<void> {
    const { tenantId, userId } = actor;
    await this.sessions.run(actor, (tx) => tx.query(REMOVE, [tenantId, userId, taskId]));
  }
}
