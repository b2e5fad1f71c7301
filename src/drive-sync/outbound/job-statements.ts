// Outbound. The queue's statements, each with the promise it keeps. Used by sql-job-queue.ts.
import { JOB_COLUMNS } from './job.row';

/** One waiting job of a kind is enough: the second to ask finds the index, and nothing is written. */
export const ENQUEUE = `
  insert into drive_sync_jobs (tenant_id, job_type, payload, priority, dedupe_key, item_key, next_run_at, created_at)
  select n.tenant_id, n.job_type, n.payload, n.priority, n.dedupe_key, n.item_key, $2, $2
    from jsonb_to_recordset($1::jsonb) as n (tenant_id integer, job_type text, payload jsonb, priority integer,
                                             dedupe_key text, item_key text)
    join tenant_drive_integrations i on i.tenant_id = n.tenant_id and i.status <> 'DISCONNECTED'
  on conflict (tenant_id, dedupe_key) where status = 'PENDING' and dedupe_key is not null do nothing
  returning id`;

/**
 * $1 synced before. One statement, and of each tenant one row of an index: an idle house asks nothing else. A feed that could
 * not be read is not asked for again at once: it had all its tries.
 */
export const LOOK = `
  select exists (select from tenant_drive_integrations i
                  where i.status = 'CONNECTED'
                    and exists (select from drive_sync_jobs j where j.tenant_id = i.tenant_id and j.status = 'PENDING')) as waiting,
         exists (select from drive_sync_jobs where status = 'IN_PROGRESS') as working,
         array(select i.tenant_id from tenant_drive_integrations i
                where i.status = 'CONNECTED' and coalesce(i.last_sync_at, '-infinity') < $1
                  and not exists (select from drive_sync_jobs f
                                   where f.tenant_id = i.tenant_id and f.job_type = 'PROCESS_DRIVE_CHANGES'
                                     and f.status = 'FAILED' and f.finished_at >= $1)) as unsynced`;

/** A statement of its own: the claim's snapshot must be younger than the last claim's commit. */
export const LOCK_CLAIMS = `select pg_advisory_xact_lock(hashtext('horarium drive claims'))`;

/**
 * $1 limit, $2 now, $3 known types, $4 owner, $5 lease seconds. Tenants are found by skipping through the index, so that
 * the cost grows with the tenants that wait and not with their jobs; `turn` makes them take turns.
 */
export const CLAIM = `
  with recursive tenants as (
    (select j.tenant_id from drive_sync_jobs j where j.status = 'PENDING' order by j.tenant_id limit 1)
    union all
    select (select j.tenant_id from drive_sync_jobs j
             where j.status = 'PENDING' and j.tenant_id > t.tenant_id order by j.tenant_id limit 1)
      from tenants t where t.tenant_id is not null
  ), ready as (
    select c.id, c.priority,
           busy.count + row_number() over (partition by t.tenant_id order by c.priority desc, c.id) as turn
      from tenants t
      left join tenant_drive_integrations i on i.tenant_id = t.tenant_id
     cross join lateral (select count(*) from drive_sync_jobs b
                          where b.tenant_id = t.tenant_id and b.status = 'IN_PROGRESS') busy
     cross join lateral (
       select j.id, j.priority from drive_sync_jobs j
        where j.tenant_id = t.tenant_id and j.status = 'PENDING' and j.next_run_at <= $2
          and ((i.status = 'CONNECTED' and (i.slow_until is null or i.slow_until <= $2)) or j.job_type <> all ($3::text[]))
          and (j.item_key is null or not exists (
                select from drive_sync_jobs o
                 where o.tenant_id = j.tenant_id and o.item_key = j.item_key and o.status in ('PENDING', 'IN_PROGRESS')
                   and (o.id < j.id or o.status = 'IN_PROGRESS')))
        order by j.priority desc, j.id
        limit $1) c
  ), picked as (
    select j.id from drive_sync_jobs j
     where j.id = any (array(select r.id from ready r order by r.priority desc, r.turn, r.id limit $1))
       and j.status = 'PENDING'
       for update skip locked
  )
  update drive_sync_jobs j
     set status = 'IN_PROGRESS', started_at = $2, finished_at = null, cancel_requested_by = null,
         lease_owner = $4, lease_token = gen_random_uuid(),
         lease_expires_at = horarium_now() + make_interval(secs => $5)
    from picked p
   where j.id = p.id
  returning ${JOB_COLUMNS}`;

/** Only what is still held: a lease that was taken over stays with its new holder. */
export const RENEW = `
  update drive_sync_jobs set lease_expires_at = horarium_now() + make_interval(secs => $2)
   where lease_token = any ($1::uuid[]) and status = 'IN_PROGRESS'
  returning lease_token, cancel_requested_by`;

/** What a dead worker held waits again; where its like waits already it is superseded; after five deaths it is to blame. */
export const RECOVER = `
  update drive_sync_jobs j
     set status = r.status, finished_at = case when r.status = 'PENDING' then null else $1::timestamptz end,
         last_error = case r.status when 'FAILED' then 'Given up: its worker died five times while it was at work.'
                                    when 'SKIPPED' then 'The same is done by a later job.' else j.last_error end,
         takeovers = j.takeovers + 1, lease_owner = null, lease_token = null, lease_expires_at = null
    from (select h.id, case when h.takeovers >= 4 then 'FAILED'
                            when exists (select from drive_sync_jobs t where t.tenant_id = h.tenant_id
                                          and t.dedupe_key = h.dedupe_key and t.status = 'PENDING') then 'SKIPPED'
                            else 'PENDING' end as status
            from drive_sync_jobs h
           where h.status = 'IN_PROGRESS'
             and (h.lease_expires_at < horarium_now()
                  or h.lease_owner in (select id from instances where stopped_at is not null))
             for update of h skip locked) r
   where j.id = r.id
  returning j.id`;

/** $1 id, $2 lease, $3 status, $4 error, $5 now. Without the lease nothing is written. */
export const END = `
  update drive_sync_jobs
     set status = $3, last_error = $4, finished_at = $5,
         lease_owner = null, lease_token = null, lease_expires_at = null
   where id = $1 and lease_token = $2 and status = 'IN_PROGRESS'
  returning id`;

/** The waiting job that would do the same as this one. */
export const TWIN = `
  select t.id from drive_sync_jobs j
    join drive_sync_jobs t on t.tenant_id = j.tenant_id and t.dedupe_key = j.dedupe_key and t.status = 'PENDING'
   where j.id = $1
     for update of t`;

/** The twin goes on where this one stopped: else an outage would give every notification a job with all its tries. */
export const INHERIT = `
  update drive_sync_jobs t
     set retry_count = greatest(t.retry_count, j.retry_count + $3), next_run_at = greatest(t.next_run_at, $4),
         last_error = $5
    from drive_sync_jobs j
   where t.id = $2 and j.id = $1`;

/** $1 id, $2 lease, $3 next_run_at, $4 error, $5 tries used. Whoever was asked to stop meanwhile does not come back. */
export const AGAIN = `
  update drive_sync_jobs
     set status = case when cancel_requested_by is null then 'PENDING' else 'SKIPPED' end,
         last_error = case when cancel_requested_by is null then $4 else 'Cancelled by ' || cancel_requested_by || '.' end,
         finished_at = case when cancel_requested_by is null then null else $6::timestamptz end,
         retry_count = retry_count + $5, next_run_at = coalesce($3, next_run_at),
         lease_owner = null, lease_token = null, lease_expires_at = null
   where id = $1 and lease_token = $2 and status = 'IN_PROGRESS'
  returning id`;

export const FIND = `select ${JOB_COLUMNS} from drive_sync_jobs j where j.uid = $1 and ($2::integer is null or j.tenant_id = $2)`;

export const LIST = `
  select ${JOB_COLUMNS} from drive_sync_jobs j
   where ($1::integer is null or j.tenant_id = $1)
     and ($2::text is null or j.status = $2) and ($3::text is null or j.job_type = $3)
     and ($4::bigint is null or j.id < $4)
   order by j.id desc
   limit $5`;

export const COUNTS = `
  select status, count(*)::integer as count from drive_sync_jobs
   where ($1::integer is null or tenant_id = $1) group by status`;

export const RETRY = `
  update drive_sync_jobs j
     set status = 'PENDING', retry_count = 0, takeovers = 0, next_run_at = $2, finished_at = null, cancel_requested_by = null
   where j.uid = $1 and ($3::integer is null or j.tenant_id = $3) and j.status in ('FAILED', 'SKIPPED')
  returning ${JOB_COLUMNS}`;

export const CANCEL = `
  update drive_sync_jobs j
     set status = case j.status when 'PENDING' then 'SKIPPED' else j.status end,
         last_error = case j.status when 'PENDING' then 'Cancelled by ' || $2 || '.' else j.last_error end,
         finished_at = case j.status when 'PENDING' then $3::timestamptz else j.finished_at end,
         cancel_requested_by = $2
   where j.uid = $1 and ($4::integer is null or j.tenant_id = $4) and j.status in ('PENDING', 'IN_PROGRESS')
  returning ${JOB_COLUMNS}`;

export const FORGET = `
  delete from drive_sync_jobs
   where id = any (array(select id from drive_sync_jobs where finished_at < $1 order by finished_at limit 5000))
  returning id`;
