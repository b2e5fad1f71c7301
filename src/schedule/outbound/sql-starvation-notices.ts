// Outbound adapter. Counts the due tasks that wait, and appends what there is to say, in one transaction with the note that it
// was said (table runtime_facts of the platform).
import { systemActor } from '../../kernel/actor';
import { appendEvents } from '../../platform/outbox';
import type { Sessions } from '../../platform/persistence/sessions';
import type { StarvationNotices } from '../ports/starvation-notices';
import { CLAIMABLE } from './claim-due';

const ACTOR = systemActor('dispatch: starved');

// Promise: of several processes that find it at once one says it. The others wait for its note, and find it fresh.
const TELL = `
  with waiting as materialized (
    select tenant_id, count(*)::integer as waiting, min(next_run_at) as oldest_due_at
      from scheduled_task_states where next_run_at <= $1 and ${CLAIMABLE} group by tenant_id
  ), noted as (
    insert into runtime_facts as f (name, value, updated_at)
    select 'budget_starved:' || tenant_id, waiting::text, $2 from waiting order by tenant_id
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at where f.updated_at <= $3
    returning name
  )
  select w.* from waiting w join noted n on n.name = 'budget_starved:' || w.tenant_id`;

export class SqlStarvationNotices implements StarvationNotices {
  constructor(private readonly sessions: Sessions) {}

  tell({ now, dueBefore, notToldSince }: Parameters<StarvationNotices['tell']>[0]): Promise<number> {
    return this.sessions.run(ACTOR, async (tx) => {
      type Row = { tenant_id: number; waiting: number; oldest_due_at: Date };
      const rows = await tx.query<Row>(TELL, [dueBefore, now, notToldSince]);
      await appendEvents(
        tx,
        rows.map(({ tenant_id: tenantId, waiting, oldest_due_at }) => {
          return { tenantId, type: 'budget.starved', payload: { waiting, oldest_due_at }, occurredAt: now };
        }),
      );
      return rows.length;
    });
  }
}
