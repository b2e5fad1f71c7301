// Outbound adapter, owns the table drive_sync_jobs. Its statements: job-statements.ts.
import { systemActor, type Actor } from '../../kernel/actor';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { constraintOf } from '../../platform/persistence/sql-errors';
import { JobStateError } from '../domain/errors';
import type { ClaimedJob, Job, NewJob } from '../domain/job';
import { countsOf, type JobCounts, type JobFilter, type JobPage } from '../domain/listing';
import type { ClaimOrder, JobEnd, JobQueue, LeaseReport, QueueView } from '../ports/job-queue';
import { DRIVE_SYNC_WORKER } from './channel-worker-wake';
import * as sql from './job-statements';
import { toClaimedJob, toJob, type JobRow } from './job.row';

const WORKER = systemActor('drive jobs');
const CLAIMING = systemActor('drive jobs: claim');
/** A process that is stopped in the middle of a claim must not hold up the others. */
const IN_TIME = { lock_timeout: '2s', idle_in_transaction_session_timeout: '2s' };
const WAITING = 'uq_drive_sync_jobs_waiting';
const FOLDED = 'The same is done by a later job.';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export class SqlJobQueue implements JobQueue {
  constructor(private readonly sessions: Sessions) {}

  async enqueue(actor: Actor, jobs: readonly NewJob[], now: Date): Promise<number> {
    if (jobs.length === 0) return 0;
    return this.sessions.run(actor, (tx) => enqueueIn(tx, jobs, now));
  }

  async look(syncedBefore: Date): Promise<QueueView> {
    const [view] = await this.sessions.ask<QueueView>(WORKER, sql.LOOK, [syncedBefore]);
    return view ?? { waiting: true, working: true, unsynced: [] };
  }

  async claim({ limit, now, types, owner, leaseSeconds }: ClaimOrder): Promise<ClaimedJob[]> {
    const rows = await this.sessions.run(
      CLAIMING,
      async (tx) => {
        await tx.query(sql.LOCK_CLAIMS);
        return tx.query<JobRow>(sql.CLAIM, [limit, now, types, owner, leaseSeconds]);
      },
      { settings: IN_TIME },
    );
    return rows.map(toClaimedJob).sort((a, b) => b.priority - a.priority || Number(a.id) - Number(b.id));
  }

  async renew(leaseTokens: readonly string[], leaseSeconds: number): Promise<LeaseReport> {
    const rows = await this.sessions.run(WORKER, (tx) =>
      tx.query<{ lease_token: string; cancel_requested_by: string | null }>(sql.RENEW, [leaseTokens, leaseSeconds]),
    );
    const held = new Set(rows.map((row) => row.lease_token));
    return {
      lost: leaseTokens.filter((lease) => !held.has(lease)),
      cancelled: rows.flatMap((row) => (row.cancel_requested_by === null ? [] : [row.lease_token])),
    };
  }

  async recover(now: Date): Promise<number> {
    const rows = await this.sessions.run(WORKER, (tx) => tx.query(sql.RECOVER, [now]));
    return rows.length;
  }

  async finish(job: ClaimedJob, end: JobEnd, now: Date): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.sessions.run(WORKER, (tx) => finishIn(tx, job, end, now));
      } catch (error) {
        // Its like was queued between the look and the write: now it is seen.
        if (constraintOf(error) !== WAITING || attempt === 3) throw error;
      }
    }
  }

  async find(actor: Actor, uid: string): Promise<Job | null> {
    if (!UUID.test(uid)) return null;
    const [row] = await this.sessions.run(actor, (tx) => tx.query<JobRow>(sql.FIND, [uid, tenantOf(actor)]));
    return row === undefined ? null : toJob(row);
  }

  async list(actor: Actor, { status, type }: JobFilter, { limit, before }: JobPage): Promise<Job[]> {
    const rows = await this.sessions.run(actor, (tx) =>
      tx.query<JobRow>(sql.LIST, [tenantOf(actor), status, type, before, limit]),
    );
    return rows.map(toJob);
  }

  async counts(actor: Actor, tenantId?: number): Promise<JobCounts> {
    const rows = await this.sessions.run(actor, (tx) =>
      tx.query<{ status: string; count: number }>(sql.COUNTS, [tenantId ?? tenantOf(actor)]),
    );
    return countsOf(rows);
  }

  async retry(actor: Actor, uid: string, now: Date): Promise<Job | null> {
    const found = await this.find(actor, uid);
    if (found === null) return null;
    try {
      const [row] = await this.sessions.run(actor, (tx) => tx.query<JobRow>(sql.RETRY, [uid, now, tenantOf(actor)]));
      if (row === undefined)
        throw new JobStateError(uid, found.status, 'only what has FAILED or was SKIPPED is tried again.');
      return toJob(row);
    } catch (error) {
      if (constraintOf(error) === WAITING) throw new JobStateError(uid, found.status, 'the same waits as another job.');
      throw error;
    }
  }

  async cancel(actor: Actor, uid: string, by: string, now: Date): Promise<Job | null> {
    const found = await this.find(actor, uid);
    if (found === null) return null;
    const [row] = await this.sessions.run(actor, (tx) => tx.query<JobRow>(sql.CANCEL, [uid, by, now, tenantOf(actor)]));
    if (row === undefined) throw new JobStateError(uid, found.status, 'it has ended already.');
    return toJob(row);
  }

  async forget(endedBefore: Date): Promise<number> {
    const rows = await this.sessions.run(WORKER, (tx) => tx.query(sql.FORGET, [endedBefore]));
    return rows.length;
  }
}

async function enqueueIn(tx: Tx, jobs: readonly NewJob[], now: Date): Promise<number> {
  const rows = jobs.map(({ tenantId, type, payload, priority = 0, dedupeKey, itemKey }) => ({
    tenant_id: tenantId,
    job_type: type,
    payload,
    priority,
    dedupe_key: dedupeKey,
    item_key: itemKey,
  }));
  const added = (await tx.query(sql.ENQUEUE, [JSON.stringify(rows), now])).length;
  if (added > 0) tx.wakeAfterCommit(DRIVE_SYNC_WORKER);
  return added;
}

async function finishIn(tx: Tx, { id, leaseToken }: ClaimedJob, end: JobEnd, now: Date): Promise<boolean> {
  if (end.status === 'SUCCESS') return (await tx.query(sql.END, [id, leaseToken, 'SUCCESS', null, now])).length === 1;
  if (end.status === 'FAILED' || end.status === 'SKIPPED') {
    return (await tx.query(sql.END, [id, leaseToken, end.status, end.error, now])).length === 1;
  }
  const tries = end.status === 'PENDING' ? 1 : 0;
  const at = end.status === 'PENDING' ? end.at : null;
  const [twin] = await tx.query<{ id: string }>(sql.TWIN, [id]);
  if (twin === undefined) {
    return (await tx.query(sql.AGAIN, [id, leaseToken, at, end.error, tries, now])).length === 1;
  }
  const ended = await tx.query(sql.END, [id, leaseToken, 'SKIPPED', FOLDED, now]);
  if (ended.length === 1) await tx.query(sql.INHERIT, [id, twin.id, tries, at ?? now, end.error]);
  return ended.length === 1;
}

function tenantOf(actor: Actor): number | null {
  return actor.type === 'user' ? actor.tenantId : null;
}
