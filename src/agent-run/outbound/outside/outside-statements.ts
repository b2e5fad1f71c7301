// Outbound. The statements of sql-outside-runs, in the order of the port's methods.

// Promise: a run is put out once, however often it is asked for; only what was reported can be tried anew.
export const OFFER = `
  insert into outside_runs (agent_run_id, request_id, tenant_id, user_id, assistant_id, kind, token_hash, lease_seconds,
                            timeout_seconds, offered_at, claim_timeout_seconds, claimed_at, tries, give_up_at)
  select $1, $2, $3, $4, $5, $6, $7, $8::integer, $10::integer, now, $9::integer,
         case when $6 = 'pull' then null else now end, case when $6 = 'pull' then 0 else 1 end,
         now + case when $6 = 'pull' then $9::integer else $10::integer end * interval '1 second'
    from horarium_now() as now
      on conflict (agent_run_id) do update
         set token_hash = excluded.token_hash, lease_seconds = excluded.lease_seconds, offered_at = excluded.offered_at,
             timeout_seconds = excluded.timeout_seconds, claim_timeout_seconds = excluded.claim_timeout_seconds,
             claimed_at = excluded.claimed_at, claimed_by = null, tries = excluded.tries, give_up_at = excluded.give_up_at,
             lease_expires_at = null, report = null, ended_at = null, cancel_reason = null
       where outside_runs.report is not null
  returning agent_run_id`;

// Promise: of all who ask at once each gets another run, or none: who comes to a row that somebody else is taking goes on
// to the next (skip locked), and the update asks again whether it is free.
export const CLAIM = `
  with next as materialized (
    select agent_run_id
      from outside_runs
     where tenant_id = $1 and ($2::text is null or user_id = $2) and assistant_id = any ($3)
       and kind = 'pull' and claimed_at is null and report is null and cancel_reason is null
       and give_up_at > horarium_now()
     order by offered_at, agent_run_id
     limit 1
       for update skip locked
  ), claimed as (
    update outside_runs o
       set claimed_at = now, claimed_by = $4, token_hash = $5, tries = o.tries + 1,
           lease_expires_at = now + o.lease_seconds * interval '1 second',
           give_up_at = now + o.timeout_seconds * interval '1 second'
      from next, horarium_now() as now
     where o.agent_run_id = next.agent_run_id and o.claimed_at is null
    returning o.*
  )
  select c.agent_run_id, c.request_id, c.tenant_id, c.user_id, c.assistant_id, c.lease_expires_at, c.give_up_at, c.tries,
         r.thread_id, r.prompt, r.metadata, r.working_folder, t.agent_sessions ->> c.assistant_id as agent_session
    from claimed c
    join agent_runs r on r.id = c.agent_run_id
    join threads t on t.id = r.thread_id`;

// Promise: a run whose claim nobody has heard of waits again as though it had never been fetched.
export const RELEASE = `
  update outside_runs
     set claimed_at = null, claimed_by = null, token_hash = null, lease_expires_at = null, tries = tries - 1,
         give_up_at = horarium_now() + claim_timeout_seconds * interval '1 second'
   where agent_run_id = $1 and token_hash = $2 and kind = 'pull' and report is null
  returning agent_run_id`;

// Promise: only who holds the run keeps it. A lease that is over and was taken by nobody comes to life again.
export const RENEW = `
  update outside_runs
     set lease_expires_at = horarium_now() + lease_seconds * interval '1 second'
   where agent_run_id = $1 and token_hash = $2 and report is null
  returning lease_expires_at, give_up_at, cancel_reason`;

// Promise: the first report counts, and only from whom the run belongs to.
export const REPORT = `
  update outside_runs set report = $3::jsonb, ended_at = horarium_now()
   where agent_run_id = $1 and token_hash = $2 and report is null
  returning agent_run_id`;

// Promise: the first reason stays. An agent that fetched the run hears of it with its next sign of life and reports; who gives
// none (handed over), or has not fetched it yet, is not waited for.
export const CANCEL = `
  update outside_runs
     set cancel_reason = $2,
         report = case when kind = 'pull' and claimed_at is not null then null else '{}'::jsonb end,
         ended_at = case when kind = 'pull' and claimed_at is not null then null else horarium_now() end
   where request_id = $1 and report is null and cancel_reason is null
  returning agent_run_id`;

export const FAIL = `
  update outside_runs set report = $2::jsonb, ended_at = horarium_now()
   where agent_run_id = $1 and report is null
  returning agent_run_id`;

export const WITHDRAW = `delete from outside_runs where agent_run_id = $1`;

export const STATE = `
  select agent_run_id, report, cancel_reason, null::double precision as due_in_ms from outside_runs where request_id = $1`;

export const FOLLOWED = `
  select agent_run_id, report, cancel_reason,
         case when report is null
              -- One that is fetched in this moment may be lost, or late, no sooner than that.
              then least(extract(epoch from least(lease_expires_at, give_up_at) - horarium_now()),
                         case when claimed_at is null then least(lease_seconds, timeout_seconds) end)
                   ::double precision * 1000
         end as due_in_ms
    from outside_runs where agent_run_id = any ($1)`;

// Promise: a lost run waits again, once, and its former agent has no say any more.
export const RETURN_TO_QUEUE = `
  update outside_runs
     set claimed_at = null, claimed_by = null, token_hash = null, lease_expires_at = null,
         give_up_at = horarium_now() + claim_timeout_seconds * interval '1 second'
   where agent_run_id = any ($1) and kind = 'pull' and report is null and cancel_reason is null and tries < 2
     and lease_expires_at <= horarium_now() and give_up_at > horarium_now()
  returning agent_run_id`;

// Promise: what nobody fetched, nobody finished, or was lost twice is over, once.
export const GIVE_UP = `
  update outside_runs
     set ended_at = horarium_now(),
         report = case
           when claimed_at is null then jsonb_build_object('status', 'error', 'error',
             'No agent has fetched the run within ' || claim_timeout_seconds || ' s.')
           when give_up_at <= horarium_now() then jsonb_build_object('status', 'timeout', 'error',
             'The agent was ended: it did not finish within ' || timeout_seconds || ' s.')
           else jsonb_build_object('status', 'error', 'error',
             'The agent that had fetched the run gave no sign of life for ' || lease_seconds || ' s.')
         end
   where agent_run_id = any ($1) and report is null
     and (lease_expires_at <= horarium_now() or give_up_at <= horarium_now())`;

// Long enough for every process to have taken over what was reported.
export const FORGET_OLD = `delete from outside_runs where ended_at < horarium_now() - interval '1 day'`;
