// Outbound. The statements about claims that were made ahead of their instant: when to look for them, until when they can
// be taken back, and how.
import { CLAIM_CLOSES_BEFORE_MS } from '../domain/look-ahead';
import { hasOpenRun } from './active-run';
import { CLAIMABLE, LEASED } from './claim-due';

const CLOSES_BEFORE = `interval '${CLAIM_CLOSES_BEFORE_MS} milliseconds'`;

// A task in other hands counts as long as its instant is still to come: it will have been given back by then. Once due it
// does not, or the poller would run in circles around it.
const earliest = (where: string): string => `
  (select next_run_at
     from scheduled_task_states d
    where ${where} and (${CLAIMABLE} or (${LEASED} and next_run_at > horarium_now()))
    order by next_run_at, task_id
    limit 1)`;

export const NEXT_DUE = `
  select ${earliest('next_run_at is not null')} as earliest,
         ${earliest(`next_run_at <= $1 and not ${hasOpenRun('d.task_id')}`)} as earliest_idle`;

// Promise: a claim that was confirmed is not taken back. Whoever takes one back holds its row until he is done, and looks
// at the time only when he holds it.
export const CONFIRM = `
  select id, scheduled_for <= horarium_now() + ${CLOSES_BEFORE} as closed
    from scheduled_task_runs
   where id = any ($1) and status = 'queued'
   order by id
     for key share`;

export const GIVE_BACK = `
  with gone as (
    delete from scheduled_task_runs
     where id = any ($1) and status = 'queued' and trigger = 'scheduled'
    returning task_id, scheduled_for
  )
  update scheduled_task_states s
     set status = 'enabled', next_run_at = g.scheduled_for, lease_owner = null, lease_expires_at = null,
         version = version + 1
    from gone g
   where s.task_id = g.task_id and s.status = 'running'`;

/** Columns of the run that was claimed ahead for a task, and can still be taken back; `s` is its state. */
export const OPEN_CLAIM = `
  left join scheduled_task_runs ahead
    on s.status = 'running' and ahead.task_id = s.task_id and ahead.status = 'queued' and ahead.trigger = 'scheduled'
   and ahead.scheduled_for > horarium_now() + ${CLOSES_BEFORE}`;

// Promise: an edit that saw a claim as not yet made leaves no run behind, and none once the claim has closed. Locked first
// and judged after: the launch's confirmation waits for this lock, or this waits for it.
export const LOCK_CLAIM = `select id from scheduled_task_runs where id = $1 for update`;
export const TAKE_BACK = `
  delete from scheduled_task_runs
   where id = $1 and status = 'queued' and scheduled_for > horarium_now() + ${CLOSES_BEFORE}
  returning id`;
