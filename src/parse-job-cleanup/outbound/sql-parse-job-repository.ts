// Outbound adapter. Owns compliance.framework_parse_jobs and compliance.framework_controls.
import type { Actor, SystemActor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { ControlText } from '../domain/control';
import type { Cursor, ParseJob, ParseJobStatus, StoredControl } from '../domain/parse-job';
import type { ClaimedParseJob, ParseJobRepository } from '../ports/parse-job-repository';
import { type ControlRow, type ParseJobRow, toControl, toParseJob } from './parse-job.row';

/** The first fence, beside the policies. The system is about everybody's. */
const OURS = '($1::integer is null or tenant_id = $1)';
/** All but the document, which only its parser needs. */
const COLUMNS = `id, tenant_id, name, format, status, document_bytes, total_controls, done_controls, error, created_by,
  created_at, started_at, finished_at, reviewed_by, reviewed_at`;

const ADD = `
  insert into compliance.framework_parse_jobs
    (id, tenant_id, name, format, status, document, document_bytes, created_by, created_at)
  values ($1, $2, $3, $4, 'queued', $5, $6, $7, $8)`;
const FIND = `
  select ${COLUMNS} from compliance.framework_parse_jobs where ${OURS} and id = $2 and deleted_at is null`;
const LIST = `
  select ${COLUMNS} from compliance.framework_parse_jobs
   where ${OURS} and deleted_at is null and ($2::text is null or status = $2)
     and ($3::timestamptz is null or (created_at, id) < ($3, $4::text))
   order by created_at desc, id desc limit $5`;
const CONTROLS = `
  select nr, control_id, family, title, statement from compliance.framework_controls
   where ${OURS} and job_id = $2 and nr >= $3 order by nr limit $4`;

const OPEN = `
  deleted_at is null and (status = 'queued' or (
    status = 'parsing' and (lease_expires_at < horarium_now() or not horarium_alive(lease_owner))))`;
/** What a round costs that finds nothing to parse. */
const LOOK = `select exists (select from compliance.framework_parse_jobs where ${OPEN}) as work`;
// Skips what another process claims at this moment, and takes over what a dead one had.
const CLAIM = `
  update compliance.framework_parse_jobs
     set status = 'parsing', lease_owner = $1, lease_expires_at = horarium_now() + make_interval(secs => $2),
         attempts = attempts + 1, started_at = coalesce(started_at, $3), done_controls = 0, total_controls = null
   where id = (select id from compliance.framework_parse_jobs
                where ${OPEN}
                order by created_at, id limit 1 for update skip locked)
  returning ${COLUMNS}, document, attempts`;
const FORGET_CONTROLS = `delete from compliance.framework_controls where job_id = $1`;

const KEEP = `
  update compliance.framework_parse_jobs
     set total_controls = $3, done_controls = $4, lease_expires_at = horarium_now() + make_interval(secs => $5)
   where id = $1 and lease_owner = $2 and status = 'parsing' and deleted_at is null
  returning tenant_id`;
const ADD_CONTROLS = `
  insert into compliance.framework_controls (job_id, tenant_id, nr, control_id, family, title, statement)
  select $1, $2, $3 + ordinality, control_id, family, title, statement
    from unnest($4::text[], $5::text[], $6::text[], $7::text[]) with ordinality
      as c (control_id, family, title, statement, ordinality)`;
const FINISH = `
  update compliance.framework_parse_jobs
     set status = $3, error = $4, finished_at = $5, lease_owner = null, lease_expires_at = null,
         document = case when $3 = 'failed' then document end
   where id = $1 and lease_owner = $2 and status = 'parsing'
  returning id`;
const REVIEW = `
  update compliance.framework_parse_jobs set status = $3, reviewed_by = $4, reviewed_at = $5
   where ${OURS} and id = $2 and status = 'awaiting_review' and deleted_at is null
  returning ${COLUMNS}`;
const RESTORE = `
  update compliance.framework_parse_jobs
     set restored_at = case when deleted_at is null then restored_at else horarium_now() end, deleted_at = null
   where ${OURS} and id = $2 returning ${COLUMNS}`;

/** Strictly older: one of exactly this age is kept. The database's clock, whoever asks. A restored one begins anew. */
const EXPIRED = `deleted_at is null and created_at < horarium_now() - make_interval(secs => $1)
  and (restored_at is null or restored_at < horarium_now() - make_interval(secs => $1))`;
const COUNT_EXPIRED = `select count(*)::integer as count from compliance.framework_parse_jobs where ${EXPIRED}`;
const DELETE_EXPIRED = `
  update compliance.framework_parse_jobs set deleted_at = horarium_now()
   where id in (select id from compliance.framework_parse_jobs where ${EXPIRED}
                 order by created_at limit $2 for update skip locked)
  returning id`;
const PURGE = `
  delete from compliance.framework_parse_jobs
   where id in (select id from compliance.framework_parse_jobs
                 where deleted_at < horarium_now() - make_interval(secs => $1)
                 order by deleted_at limit $2 for update skip locked)
  returning id`;

export class SqlParseJobRepository implements ParseJobRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, job: ParseJob, document: Uint8Array): Promise<void> {
    const { id, tenantId, name, format, documentBytes, createdBy, createdAt } = job;
    const values = [id, tenantId, name, format, Buffer.from(document), documentBytes, createdBy, createdAt];
    await this.sessions.run(actor, (tx) => tx.query(ADD, values));
  }

  find(actor: Actor, jobId: string): Promise<ParseJob | null> {
    return this.one(actor, FIND, [tenantOf(actor), jobId]);
  }

  async list(
    actor: Actor,
    { status }: { readonly status?: ParseJobStatus },
    { after, limit }: { readonly limit: number; readonly after?: Cursor },
  ): Promise<ParseJob[]> {
    const values = [tenantOf(actor), status, after?.createdAt, after?.id, limit];
    return (await this.sessions.run(actor, (tx) => tx.query<ParseJobRow>(LIST, values))).map(toParseJob);
  }

  async controls(actor: Actor, jobId: string, from: number, limit: number): Promise<StoredControl[]> {
    const values = [tenantOf(actor), jobId, from, limit];
    return (await this.sessions.run(actor, (tx) => tx.query<ControlRow>(CONTROLS, values))).map(toControl);
  }

  async claim(actor: SystemActor, owner: string, leaseSeconds: number, now: Date): Promise<ClaimedParseJob | null> {
    const [look] = await this.sessions.ask<{ work: boolean }>(actor, LOOK);
    if (look?.work !== true) return null;
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<ParseJobRow & { document: Buffer; attempts: number }>(CLAIM, [
        owner,
        leaseSeconds,
        now,
      ]);
      if (row === undefined) return null;
      await tx.query(FORGET_CONTROLS, [row.id]);
      return { job: toParseJob(row), document: row.document, attempts: row.attempts };
    });
  }

  async progress(
    actor: SystemActor,
    jobId: string,
    owner: string,
    { total, from, controls }: { total: number; from: number; controls: readonly ControlText[] },
    leaseSeconds: number,
  ): Promise<boolean> {
    return this.sessions.run(actor, async (tx) => {
      const values = [jobId, owner, total, from + controls.length, leaseSeconds];
      const [kept] = await tx.query<{ tenant_id: number }>(KEEP, values);
      if (kept === undefined) return false;
      const columns = [
        controls.map(({ controlId }) => controlId),
        controls.map(({ family }) => family),
        controls.map(({ title }) => title),
        controls.map(({ statement }) => statement),
      ];
      await tx.query(ADD_CONTROLS, [jobId, kept.tenant_id, from, ...columns]);
      return true;
    });
  }

  async finish(
    actor: SystemActor,
    jobId: string,
    owner: string,
    { status, error }: { readonly status: 'awaiting_review' | 'failed'; readonly error: string | null },
    now: Date,
  ): Promise<boolean> {
    const ended = await this.sessions.run(actor, (tx) => tx.query(FINISH, [jobId, owner, status, error, now]));
    return ended.length > 0;
  }

  review(
    actor: Actor,
    jobId: string,
    { status, by }: { readonly status: 'approved' | 'rejected'; readonly by: string },
    now: Date,
  ): Promise<ParseJob | null> {
    return this.one(actor, REVIEW, [tenantOf(actor), jobId, status, by, now]);
  }

  restore(actor: Actor, jobId: string): Promise<ParseJob | null> {
    return this.one(actor, RESTORE, [tenantOf(actor), jobId]);
  }

  async countExpired(actor: SystemActor, ttlSeconds: number): Promise<number> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<{ count: number }>(COUNT_EXPIRED, [ttlSeconds]));
    return row?.count ?? 0;
  }

  async deleteExpired(actor: SystemActor, ttlSeconds: number, limit: number): Promise<number> {
    return (await this.sessions.run(actor, (tx) => tx.query(DELETE_EXPIRED, [ttlSeconds, limit]))).length;
  }

  async purge(actor: SystemActor, purgeAfterSeconds: number, limit: number): Promise<number> {
    return (await this.sessions.run(actor, (tx) => tx.query(PURGE, [purgeAfterSeconds, limit]))).length;
  }

  private async one(actor: Actor, statement: string, values: readonly unknown[]): Promise<ParseJob | null> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<ParseJobRow>(statement, values));
    return row === undefined ? null : toParseJob(row);
  }
}

function tenantOf(actor: Actor): number | null {
  return actor.type === 'user' ? actor.tenantId : null;
}
