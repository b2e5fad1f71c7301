// Outbound. Rows of table notification_preferences.
import type { Preference } from '../domain/preference';

export interface PreferenceRow {
  readonly tenant_id: number;
  readonly user_id: string;
  readonly task_id: string;
  readonly notify_on_failure: boolean | null;
  readonly notify_on_success: boolean | null;
  readonly digest_seconds: number | null;
}

export function toPreference(row: PreferenceRow): Preference {
  return {
    notifyOnFailure: row.notify_on_failure,
    notifyOnSuccess: row.notify_on_success,
    digestSeconds: row.digest_seconds,
  };
}
