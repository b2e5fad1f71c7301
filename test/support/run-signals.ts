// Test support. Tells when a run reached a state, at the moment its row is committed: PostgreSQL itself says so, through a
// trigger that this database alone has.
import type { Notification } from 'pg';
import type { TestDatabase } from './database';

export interface RunSighting {
  readonly id: string;
  readonly task_id: string;
  readonly status: string;
  readonly reason: string | null;
}

const CHANNEL = 'runs_of_this_test';
const TRIGGER = `
  create function tell_the_test() returns trigger language plpgsql as $$
  begin
    perform pg_notify('${CHANNEL}', json_build_object(
      'id', new.id, 'task_id', new.task_id, 'status', new.status, 'reason', new.reason)::text);
    return null;
  end $$;
  create trigger tell_the_test after insert or update on scheduled_task_runs
    for each row execute function tell_the_test();
  listen ${CHANNEL}`;

export class RunSignals {
  private readonly seen: RunSighting[] = [];
  private waiting: { readonly match: (run: RunSighting) => boolean; readonly resolve: (run: RunSighting) => void }[] =
    [];

  static async of({ admin }: Pick<TestDatabase, 'admin'>): Promise<RunSignals> {
    const signals = new RunSignals();
    admin.on('notification', signals.hear);
    await admin.query(TRIGGER);
    return signals;
  }

  /** The first run of this task, or the run of this id, that was or will be seen in one of the states. */
  until(id: string, ...statuses: string[]): Promise<RunSighting> {
    const match = (run: RunSighting): boolean => (run.id === id || run.task_id === id) && statuses.includes(run.status);
    const known = this.seen.find(match);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.waiting.push({ match, resolve }));
  }

  /** Forgets what was seen of a task, so that `until` means its next run. */
  forget(taskId: string): void {
    this.seen.push(...this.seen.splice(0).filter((run) => run.task_id !== taskId));
  }

  private readonly hear = ({ channel, payload }: Notification): void => {
    if (channel !== CHANNEL) return;
    const run = JSON.parse(payload ?? '') as RunSighting;
    this.seen.push(run);
    const [met, rest] = [
      this.waiting.filter(({ match }) => match(run)),
      this.waiting.filter(({ match }) => !match(run)),
    ];
    this.waiting = rest;
    for (const { resolve } of met) resolve(run);
  };
}
