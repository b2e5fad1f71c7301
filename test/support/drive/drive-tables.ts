// Test support. Connections and jobs put into the database, and read there, behind the adapters' backs.
import { SqlJobQueue } from '../../../src/drive-sync/outbound/sql-job-queue';
import { importDriveFile } from '../../../src/drive-sync/domain/jobs';
import type { ClaimedJob, NewJob } from '../../../src/drive-sync/domain/job';
import { systemActor } from '../../../src/kernel/actor';
import type { TestDatabase } from '../database';

export const SYSTEM = systemActor('test');
export const NOW = new Date('2027-01-01T12:00:00Z');
export const TYPES = ['IMPORT_DRIVE_FILE', 'PROCESS_DRIVE_CHANGES', 'RECONCILE_TASK_FOLDER', 'RENAME_FOLDER'];

export class DriveTables {
  readonly queue: SqlJobQueue;

  constructor(readonly database: TestDatabase) {
    this.queue = new SqlJobQueue(database.sessions);
  }

  async clear(): Promise<void> {
    await this.database.admin.query('delete from drive_sync_jobs; delete from tenant_drive_integrations');
  }

  async connected(...tenants: number[]): Promise<void> {
    for (const id of tenants) {
      await this.database.admin.query(
        'insert into tenants (id, name, created_at) values ($1, $2, now()) on conflict do nothing',
        [id, `tenant ${id}`],
      );
      await this.database.admin.query(
        `insert into tenant_drive_integrations (tenant_id, status, created_at, updated_at) values ($1, 'CONNECTED', now(), now())`,
        [id],
      );
    }
  }

  add(...jobs: NewJob[]): Promise<number> {
    return this.queue.enqueue(SYSTEM, jobs, NOW);
  }

  /** As many jobs on as many files. */
  async files(tenantId: number, count: number): Promise<void> {
    await this.add(...Array.from({ length: count }, (_, nr) => importDriveFile(tenantId, `file-${nr}`)));
  }

  claim(owner = 'worker-1', limit = 10, now = NOW): Promise<ClaimedJob[]> {
    return this.queue.claim({ owner, leaseSeconds: 30, limit, types: TYPES, now });
  }

  async row(id: string): Promise<Record<string, unknown>> {
    const { rows } = await this.database.admin.query<Record<string, unknown>>(
      'select * from drive_sync_jobs where id = $1',
      [id],
    );
    return rows[0]!;
  }

  async expireLeases(): Promise<void> {
    await this.database.admin.query(
      `update drive_sync_jobs set lease_expires_at = now() - interval '1 minute' where status = 'IN_PROGRESS'`,
    );
  }
}
