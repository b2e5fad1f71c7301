// Outbound adapter. Owns the table evidence.
import type { Actor } from '../../kernel/actor';
import { appendEvents } from '../../platform/outbox';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { constraintOf } from '../../platform/persistence/sql-errors';
import { DriveFileTakenError, ProjectArchivedError, ProjectTaskNotFoundError } from '../domain/errors';
import { evidenceEvent } from '../domain/events';
import type { ChangeOrigin, Evidence, ReviewDecision, StoredContent } from '../domain/evidence';
import type { EvidenceFilter, PageRequest } from '../domain/listing';
import type { EvidenceRepository } from '../ports/evidence-repository';
import { type EvidenceRow, evidenceValues, toEvidence } from './evidence.row';

/** The first fence, beside the policies. The system is about everybody's. */
const OURS = '($1::integer is null or tenant_id = $1)';

// Both hold the row until the commit: nothing goes to a project or a task that is taken away at this moment.
const OPEN_PROJECT = `select id from projects where id = $1 and archived_at is null for share`;
const OPEN_TASK = `select id from project_tasks where id = $1 and deleted_at is null for share`;
const ADD = `
  insert into evidence (id, tenant_id, project_id, task_id, name, mime_type, size_bytes, sha256, storage_key, source,
                        drive_file_id, status, control_family, created_by, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`;
const FIND = `select * from evidence where ${OURS} and id = $2`;
const FIND_BY_DRIVE_FILE = `select * from evidence where ${OURS} and tenant_id = $2 and drive_file_id = $3`;
const LIST = `
  select * from evidence
   where ${OURS} and ($2::text is null or project_id = $2) and ($3::text is null or task_id = $3)
     and ($4::text is null or status = $4) and ($5::text is null or source = $5)
     and ($6::text is null or control_family = $6) and (deleted_at is not null) = $7
     and ($8::text[] is null or id = any($8)) and ($9::timestamptz is null or (created_at, id) < ($9, $10::text))
   order by created_at desc, id desc limit $11`;

/** What the row was before is read under its lock: events tell of what really changed. */
const LOCK = `select * from evidence where ${OURS} and id = $2 for update`;
const CHANGE = `update evidence set name = $2, task_id = $3, updated_at = $4 where id = $1 returning *`;
const REPLACE = `
  update evidence set storage_key = $2, size_bytes = $3, sha256 = $4, mime_type = $5, updated_at = $6
   where id = $1 returning *`;
const SOFT_DELETE = `update evidence set deleted_at = $2, deleted_by = $3, updated_at = $2 where id = $1 returning *`;
const RESTORE = `update evidence set deleted_at = null, deleted_by = null, updated_at = $2 where id = $1 returning *`;
const REVIEW = `
  update evidence e
     set review_decision = $2, control_family = $3, reviewed_by = $4, reviewed_at = $5, updated_at = $5,
         status = case when $3::text is null then 'unclassified' else 'classified' end,
         task_id = coalesce(e.task_id, (select t.id from project_tasks t
                                         where t.project_id = e.project_id and t.control_family = $3 and t.deleted_at is null
                                         order by t.created_at, t.id limit 1))
   where id = $1 returning *`;
const LINK = `update evidence set drive_file_id = $3 where ${OURS} and id = $2 returning id`;

type EventType = Parameters<typeof evidenceEvent>[0];

export class SqlEvidenceRepository implements EvidenceRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, evidence: Evidence, origin: ChangeOrigin): Promise<void> {
    const { projectId, taskId, driveFileId, createdAt } = evidence;
    await this.guarded(driveFileId, () =>
      this.sessions.run(actor, async (tx) => {
        const open = await tx.query(OPEN_PROJECT, [projectId]);
        if (open.length === 0) throw new ProjectArchivedError(projectId);
        if (taskId !== null) await this.holdTask(tx, taskId);
        await tx.query(ADD, evidenceValues(evidence));
        await appendEvents(tx, [evidenceEvent('evidence.added', evidence, origin, createdAt)]);
      }),
    );
  }

  async find(actor: Actor, evidenceId: string): Promise<Evidence | null> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<EvidenceRow>(FIND, [tenantOf(actor), evidenceId]));
    return row === undefined ? null : toEvidence(row);
  }

  async findByDriveFile(actor: Actor, tenantId: number, driveFileId: string): Promise<Evidence | null> {
    const values = [tenantOf(actor), tenantId, driveFileId];
    const [row] = await this.sessions.run(actor, (tx) => tx.query<EvidenceRow>(FIND_BY_DRIVE_FILE, values));
    return row === undefined ? null : toEvidence(row);
  }

  async list(actor: Actor, filter: EvidenceFilter, { after, limit }: PageRequest): Promise<Evidence[]> {
    const { projectId, taskId, status, source, controlFamily, deleted = false, ids } = filter;
    const asked = [tenantOf(actor), projectId, taskId, status, source, controlFamily, deleted, ids];
    const values = [...asked, after?.createdAt, after?.id, limit];
    return (await this.sessions.run(actor, (tx) => tx.query<EvidenceRow>(LIST, values))).map(toEvidence);
  }

  async change(
    actor: Actor,
    evidenceId: string,
    change: { readonly name?: string; readonly taskId?: string | null },
    origin: ChangeOrigin,
    now: Date,
  ): Promise<Evidence | null> {
    return this.locked(actor, evidenceId, async (tx, before) => {
      if (before.deletedAt !== null) return null;
      const { name = before.name, taskId = before.taskId } = change;
      const types: EventType[] = [];
      if (name !== before.name) types.push('evidence.renamed');
      if (taskId !== before.taskId) types.push('evidence.moved');
      if (types.length === 0) return before;
      if (taskId !== null && taskId !== before.taskId) await this.holdTask(tx, taskId);
      return this.written(tx, CHANGE, [evidenceId, name, taskId, now], types, origin, now);
    });
  }

  async replaceContent(
    actor: Actor,
    evidenceId: string,
    content: StoredContent & { readonly mimeType: string },
    origin: ChangeOrigin,
    now: Date,
  ): Promise<{ evidence: Evidence; replaced: string } | null> {
    return this.locked(actor, evidenceId, async (tx, before) => {
      if (before.deletedAt !== null) return null;
      const { storageKey, sizeBytes, sha256, mimeType } = content;
      const values = [evidenceId, storageKey, sizeBytes, sha256, mimeType, now];
      const evidence = await this.written(tx, REPLACE, values, ['evidence.content-replaced'], origin, now);
      return { evidence, replaced: before.storageKey };
    });
  }

  async softDelete(actor: Actor, evidenceId: string, origin: ChangeOrigin, now: Date): Promise<Evidence | null> {
    return this.locked(actor, evidenceId, async (tx, before) => {
      if (before.deletedAt !== null) return before;
      const by = actor.type === 'user' ? actor.userId : null;
      return this.written(tx, SOFT_DELETE, [evidenceId, now, by], ['evidence.deleted'], origin, now);
    });
  }

  async restore(actor: Actor, evidenceId: string, origin: ChangeOrigin, now: Date): Promise<Evidence | null> {
    return this.locked(actor, evidenceId, async (tx, before) => {
      if (before.deletedAt === null) return before;
      return this.written(tx, RESTORE, [evidenceId, now], ['evidence.restored'], origin, now);
    });
  }

  async review(
    actor: Actor,
    evidenceId: string,
    review: { readonly decision: ReviewDecision; readonly controlFamily: string | null; readonly by: string },
    now: Date,
  ): Promise<Evidence | null> {
    return this.locked(actor, evidenceId, async (tx, before) => {
      if (before.deletedAt !== null) return null;
      const values = [evidenceId, review.decision, review.controlFamily, review.by, now];
      return this.written(tx, REVIEW, values, ['evidence.reviewed'], 'upload', now);
    });
  }

  async linkDriveFile(actor: Actor, evidenceId: string, driveFileId: string | null): Promise<boolean> {
    const values = [tenantOf(actor), evidenceId, driveFileId];
    const linked = await this.guarded(driveFileId, () => this.sessions.run(actor, (tx) => tx.query(LINK, values)));
    return linked.length > 0;
  }

  private locked<T>(
    actor: Actor,
    evidenceId: string,
    work: (tx: Tx, before: Evidence) => Promise<T | null>,
  ): Promise<T | null> {
    return this.sessions.run(actor, async (tx) => {
      const [row] = await tx.query<EvidenceRow>(LOCK, [tenantOf(actor), evidenceId]);
      return row === undefined ? null : work(tx, toEvidence(row));
    });
  }

  private async written(
    tx: Tx,
    statement: string,
    values: readonly unknown[],
    types: readonly EventType[],
    origin: ChangeOrigin,
    now: Date,
  ): Promise<Evidence> {
    const [row] = await tx.query<EvidenceRow>(statement, values);
    if (row === undefined) throw new Error('a locked row of evidence is gone');
    const evidence = toEvidence(row);
    await appendEvents(
      tx,
      types.map((type) => evidenceEvent(type, evidence, origin, now)),
    );
    return evidence;
  }

  private async holdTask(tx: Tx, taskId: string): Promise<void> {
    const open = await tx.query(OPEN_TASK, [taskId]);
    if (open.length === 0) throw new ProjectTaskNotFoundError(taskId, 'task_id');
  }

  private async guarded<T>(driveFileId: string | null, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (constraintOf(error) === 'uq_evidence_drive_file') throw new DriveFileTakenError(driveFileId ?? '');
      throw error;
    }
  }
}

function tenantOf(actor: Actor): number | null {
  return actor.type === 'user' ? actor.tenantId : null;
}
