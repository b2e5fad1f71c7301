// Outbound adapter. Owns compliance.evidence_classification_runs and compliance.evidence_classification_files.
import type { Actor, SystemActor } from '../../kernel/actor';
import { appendEvents } from '../../platform/outbox';
import type { Sessions } from '../../platform/persistence/sessions';
import { constraintOf } from '../../platform/persistence/sql-errors';
import type { ClassificationRun, ClassifiedFile, Cursor, Decision } from '../domain/classification-run';
import { ActiveRunError } from '../domain/errors';
import type { FileProgress } from '../domain/progress';
import type { Outcome } from '../domain/run-outcome';
import type { Carrier, RunFile, RunRepository } from '../ports/run-repository';
import { type FileRow, type RunRow, toFile, toRun } from './run.row';

const RUNS = 'compliance.evidence_classification_runs';
const FILES = 'compliance.evidence_classification_files';
/** The first fence, beside the policies. The system is about everybody's. */
const OURS = '($1::integer is null or tenant_id = $1)';
const LEASE = (seconds: string): string => `horarium_now() + make_interval(secs => ${seconds})`;

const ADD = `
  insert into ${RUNS} (id, tenant_id, project_id, status, image, total_files, created_by, created_at)
  values ($1, $2, $3, 'queued', $4, $5, $6, $7)`;
const ADD_FILES = `
  insert into ${FILES} (run_id, tenant_id, evidence_id, name, nr, state)
  select $1, $2, evidence_id, name, nr, 'pending' from unnest($3::text[], $4::text[]) with ordinality as f (evidence_id, name, nr)`;
const ACTIVE_OF_PROJECT = `
  select id from ${RUNS} where project_id = $1 and status in ('queued', 'starting', 'running')`;
const FIND = `select * from ${RUNS} where ${OURS} and id = $2`;
const LIST = `
  select * from ${RUNS}
   where ${OURS} and ($2::text is null or project_id = $2)
     and ($3::timestamptz is null or (created_at, id) < ($3, $4::text))
   order by created_at desc, id desc limit $5`;
const LIST_FILES = `select * from ${FILES} where ${OURS} and run_id = $2 order by nr`;
const REQUEST_CANCEL = `
  update ${RUNS}
     set cancel_requested_at = coalesce(cancel_requested_at, $3),
         status = case when status = 'queued' then 'cancelled' else status end,
         reason = case when status = 'queued' then 'cancelled' else reason end,
         finished_at = case when status = 'queued' then $3 else finished_at end
   where ${OURS} and id = $2 and status in ('queued', 'starting', 'running')
  returning *`;

// At its own place a dead one's run is found again. At another nothing is seen of it: that it is lost is said late, so that
// its own process has the time to come back.
const FREE_AT = `
  case when place is distinct from $1 then lease_expires_at + interval '10 minutes'
       when horarium_alive(lease_owner) then lease_expires_at
       else created_at end`;
const NEXT_TO_TAKE = `
  select min(case status when 'queued' then created_at else ${FREE_AT} end) as at
    from ${RUNS} where status in ('queued', 'starting', 'running')`;
// Skips what another process takes at this moment.
const CLAIM = `
  update ${RUNS}
     set status = 'starting', place = $1, lease_owner = $2, lease_expires_at = ${LEASE('$3')},
         deadline_at = $4::timestamptz + make_interval(secs => $5), started_at = $4
   where id in (select id from ${RUNS} where status = 'queued' order by created_at, id limit $6 for update skip locked)
  returning *`;
const TAKE_OVER = `
  update ${RUNS} set place = $1, lease_owner = $2, lease_expires_at = ${LEASE('$3')}
   where id in (select id from ${RUNS} where status in ('starting', 'running') and ${FREE_AT} < horarium_now()
                 order by created_at, id limit $4 for update skip locked)
  returning *`;
const KEEP = `
  update ${RUNS} set lease_expires_at = ${LEASE('$3')}
   where id = $1 and lease_owner = $2 and status in ('starting', 'running') returning *`;
const LET_GO = `
  update ${RUNS} set lease_expires_at = horarium_now() - interval '1 ms'
   where lease_owner = $1 and status in ('starting', 'running')`;
const MARK_RUNNING = `
  update ${RUNS} set status = 'running', runner = $3
   where id = $1 and lease_owner = $2 and status in ('starting', 'running') returning id`;

const PROGRESS = `
  update ${FILES} f
     set state = p.state, control_family = p.family, confidence = p.confidence, error = p.error,
         words = coalesce(array(select jsonb_array_elements_text(p.words)), '{}')
    from unnest($3::text[], $4::text[], $5::text[], $6::real[], $7::text[], $8::jsonb[])
      as p (evidence_id, state, family, confidence, error, words)
   where f.run_id = $1 and f.evidence_id = p.evidence_id
     and exists (select from ${RUNS} r where r.id = $1 and r.lease_owner = $2)`;
const COUNT = `
  update ${RUNS} r set done_files = c.done, failed_files = c.failed
    from (select count(*) filter (where state <> 'pending') as done, count(*) filter (where state = 'failed') as failed
            from ${FILES} where run_id = $1) c
   where r.id = $1`;

// The first writer of an end wins.
const FINISH = `
  update ${RUNS} set status = $3, reason = $4, detail = $5, finished_at = $6, lease_owner = null, lease_expires_at = null
   where id = $1 and lease_owner = $2 and status in ('starting', 'running') returning *`;
const ACTIVE = `select id from ${RUNS} where id = any($1) and status in ('queued', 'starting', 'running')`;
const REVIEW = `
  update ${FILES} set review_decision = $4, reviewed_family = $5, reviewed_by = $6, reviewed_at = $7
   where ${OURS} and run_id = $2 and evidence_id = $3 returning *`;

export class SqlRunRepository implements RunRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, run: ClassificationRun, files: readonly RunFile[]): Promise<void> {
    const { id, tenantId, projectId, image, totalFiles, createdBy, createdAt } = run;
    try {
      await this.sessions.run(actor, async (tx) => {
        await tx.query(ADD, [id, tenantId, projectId, image, totalFiles, createdBy, createdAt]);
        const columns = [files.map(({ evidenceId }) => evidenceId), files.map(({ name }) => name)];
        await tx.query(ADD_FILES, [id, tenantId, ...columns]);
      });
    } catch (error) {
      if (constraintOf(error) !== 'uq_classification_run_active') throw error;
      const [active] = await this.sessions.run(actor, (tx) => tx.query<{ id: string }>(ACTIVE_OF_PROJECT, [projectId]));
      throw new ActiveRunError(active?.id ?? 'that has just ended');
    }
  }

  find(actor: Actor, runId: string): Promise<ClassificationRun | null> {
    return this.one(actor, FIND, [tenantOf(actor), runId]);
  }

  list(
    actor: Actor,
    { projectId }: { readonly projectId?: string },
    { after, limit }: { readonly limit: number; readonly after?: Cursor },
  ): Promise<ClassificationRun[]> {
    return this.many(actor, LIST, [tenantOf(actor), projectId, after?.createdAt, after?.id, limit]);
  }

  async files(actor: Actor, runId: string): Promise<ClassifiedFile[]> {
    const values = [tenantOf(actor), runId];
    return (await this.sessions.run(actor, (tx) => tx.query<FileRow>(LIST_FILES, values))).map(toFile);
  }

  async requestCancel(actor: Actor, runId: string, now: Date): Promise<ClassificationRun | null> {
    const values = [tenantOf(actor), runId];
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<RunRow>(REQUEST_CANCEL, [...values, now]);
      if (row?.status === 'cancelled') await appendEvents(tx, [finishedEvent(row, now)]);
      const [known] = row === undefined ? await tx.query<RunRow>(FIND, values) : [row];
      return known === undefined ? null : toRun(known);
    });
  }

  async nextToTake(actor: SystemActor, place: string): Promise<Date | null> {
    const [next] = await this.sessions.ask<{ at: Date | null }>(actor, NEXT_TO_TAKE, [place]);
    return next?.at ?? null;
  }

  claim(
    actor: SystemActor,
    { owner, place }: Carrier,
    { limit, leaseSeconds, deadlineSeconds }: { limit: number; leaseSeconds: number; deadlineSeconds: number },
    now: Date,
  ): Promise<ClassificationRun[]> {
    return this.many(actor, CLAIM, [place, owner, leaseSeconds, now, deadlineSeconds, limit]);
  }

  takeOver(
    actor: SystemActor,
    { owner, place }: Carrier,
    limit: number,
    leaseSeconds: number,
  ): Promise<ClassificationRun[]> {
    return this.many(actor, TAKE_OVER, [place, owner, leaseSeconds, limit]);
  }

  keep(actor: SystemActor, runId: string, owner: string, leaseSeconds: number): Promise<ClassificationRun | null> {
    return this.one(actor, KEEP, [runId, owner, leaseSeconds]);
  }

  async letGo(actor: SystemActor, owner: string): Promise<void> {
    await this.sessions.run(actor, (tx) => tx.query(LET_GO, [owner]));
  }

  async markRunning(actor: SystemActor, runId: string, owner: string, runner: string): Promise<boolean> {
    return (await this.sessions.run(actor, (tx) => tx.query(MARK_RUNNING, [runId, owner, runner]))).length > 0;
  }

  async recordProgress(
    actor: SystemActor,
    runId: string,
    owner: string,
    progress: readonly FileProgress[],
  ): Promise<void> {
    // One line for each file: of several the last counts, and no row is written twice by one statement.
    const last = [...new Map(progress.map((one) => [one.evidenceId, one])).values()];
    const columns = [
      last.map(({ evidenceId }) => evidenceId),
      last.map(({ state }) => state),
      last.map(({ controlFamily }) => controlFamily),
      last.map(({ confidence }) => confidence),
      last.map(({ error }) => error),
      last.map(({ words }) => JSON.stringify(words)),
    ];
    await this.sessions.run(actor, async (tx) => {
      await tx.query(PROGRESS, [runId, owner, ...columns]);
      await tx.query(COUNT, [runId]);
    });
  }

  async finish(
    actor: SystemActor,
    runId: string,
    owner: string,
    { status, reason, detail }: Outcome & { readonly detail: string | null },
    now: Date,
  ): Promise<boolean> {
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<RunRow>(FINISH, [runId, owner, status, reason, detail, now]);
      if (row !== undefined) await appendEvents(tx, [finishedEvent(row, now)]);
      return row !== undefined;
    });
  }

  async active(actor: SystemActor, runIds: readonly string[]): Promise<string[]> {
    const rows = await this.sessions.run(actor, (tx) => tx.query<{ id: string }>(ACTIVE, [runIds]));
    return rows.map(({ id }) => id);
  }

  async review(
    actor: Actor,
    runId: string,
    evidenceId: string,
    { decision, controlFamily, by }: { decision: Decision; controlFamily: string | null; by: string },
    now: Date,
  ): Promise<ClassifiedFile | null> {
    const values = [tenantOf(actor), runId, evidenceId, decision, controlFamily, by, now];
    const [row] = await this.sessions.run(actor, (tx) => tx.query<FileRow>(REVIEW, values));
    return row === undefined ? null : toFile(row);
  }

  private async one(actor: Actor, text: string, values: readonly unknown[]): Promise<ClassificationRun | null> {
    return (await this.many(actor, text, values))[0] ?? null;
  }

  private async many(actor: Actor, text: string, values: readonly unknown[]): Promise<ClassificationRun[]> {
    return (await this.sessions.run(actor, (tx) => tx.query<RunRow>(text, values))).map(toRun);
  }
}

function finishedEvent(row: RunRow, occurredAt: Date) {
  const { id, project_id, status, reason, total_files, done_files, failed_files } = row;
  const payload = { run_id: id, project_id, status, reason, total_files, done_files, failed_files };
  return { tenantId: row.tenant_id, type: 'classification.finished', payload, occurredAt };
}

function tenantOf(actor: Actor): number | null {
  return actor.type === 'user' ? actor.tenantId : null;
}
