// The queue on PostgreSQL: every promise of ports/job-queue.ts.
import { archiveDriveFile, importDriveFile, processChanges, renameFolder } from '../../../src/drive-sync/domain/jobs';
import { JobStateError } from '../../../src/drive-sync/domain/errors';
import { testDatabase, type TestDatabase } from '../../support/database';
import { DriveTables, NOW, SYSTEM } from '../../support/drive/drive-tables';

let database: TestDatabase;
let is: DriveTables;
beforeAll(async () => {
  database = await testDatabase();
  is = new DriveTables(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  await is.clear();
  await is.connected(1, 2);
});

const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const ALICE = { type: 'user', tenantId: 1, userId: 'alice', roles: ['manager'] } as const;
const BOB = { type: 'user', tenantId: 2, userId: 'bob', roles: ['manager'] } as const;

describe('enqueue', () => {
  it('adds one of those that would do the same', async () => {
    expect(await is.add(processChanges(1), processChanges(1))).toBe(1);
    expect(await is.add(processChanges(1), processChanges(2))).toBe(1);
    await is.claim();
    expect(await is.add(processChanges(1))).toBe(1);
  });

  it('adds nothing for a tenant that has no connection', async () => {
    await database.admin.query(`update tenant_drive_integrations set status = 'DISCONNECTED' where tenant_id = 2`);
    expect(await is.add(processChanges(2), processChanges(3))).toBe(0);
  });
});

describe('look', () => {
  const look = () => is.queue.look(later(-600));

  it('tells what there is to do, by one statement', async () => {
    await database.admin.query(`update tenant_drive_integrations set last_sync_at = $1`, [NOW]);
    expect(await look()).toEqual({ waiting: false, working: false, unsynced: [] });
    await is.add(processChanges(1));
    expect(await look()).toEqual({ waiting: true, working: false, unsynced: [] });
    await is.claim();
    expect(await look()).toEqual({ waiting: false, working: true, unsynced: [] });
    await database.admin.query(`update tenant_drive_integrations set last_sync_at = $1 where tenant_id = 2`, [
      later(-601),
    ]);
    expect((await look()).unsynced).toEqual([2]);
  });

  it('does not ask at once for a feed that could not be read', async () => {
    await database.admin.query(`update tenant_drive_integrations set last_sync_at = $1`, [later(-601)]);
    await is.add(processChanges(1));
    const [job] = await is.claim();
    await is.queue.finish(job!, { status: 'FAILED', error: 'no' }, NOW);
    expect((await look()).unsynced).toEqual([2]);
    expect((await is.queue.look(later(1))).unsynced).toEqual([1, 2]);
  });

  it('passes over what waits for a connection', async () => {
    await is.add(processChanges(1));
    await database.admin.query(`update tenant_drive_integrations set status = 'NEEDS_RECONNECT'`);
    expect(await look()).toEqual({ waiting: false, working: false, unsynced: [] });
  });
});

describe('claim', () => {
  it('takes the more urgent first, then the older', async () => {
    await is.add(importDriveFile(1, 'a'), importDriveFile(1, 'b'), processChanges(1));
    const jobs = await is.claim('worker-1', 2);
    expect(jobs.map(({ type, payload }) => [type, payload.drive_file_id])).toEqual([
      ['PROCESS_DRIVE_CHANGES', undefined],
      ['IMPORT_DRIVE_FILE', 'a'],
    ]);
    expect(await is.row(jobs[0]!.id)).toMatchObject({
      status: 'IN_PROGRESS',
      lease_owner: 'worker-1',
      started_at: NOW,
    });
  });

  it('lets tenants take turns, also one that came with few after many of another', async () => {
    await is.files(1, 30);
    await is.files(2, 3);
    const jobs = await is.claim('worker-1', 6);
    expect(jobs.filter(({ tenantId }) => tenantId === 2)).toHaveLength(3);
    const next = await is.claim('worker-2', 4);
    expect(next.map(({ tenantId }) => tenantId)).toEqual([1, 1, 1, 1]);
  });

  it('takes of jobs on one item only the oldest, and none while one is worked on or waits for another try', async () => {
    await is.add(importDriveFile(1, 'a'), archiveDriveFile(1, 'a'), importDriveFile(1, 'b'));
    const [first, other] = await is.claim();
    expect([first!.payload.drive_file_id, other!.payload.drive_file_id]).toEqual(['a', 'b']);
    expect(await is.claim()).toEqual([]);
    await is.queue.finish(first!, { status: 'PENDING', at: later(60), error: 'again' }, NOW);
    expect(await is.claim()).toEqual([]);
    const [again] = await is.claim('worker-1', 10, later(61));
    expect(again!.id).toBe(first!.id);
    await is.queue.finish(again!, { status: 'SUCCESS' }, NOW);
    // Its type has no handler here: that is the worker's business, not the claim's.
    expect((await is.claim())[0]).toMatchObject({ type: 'ARCHIVE_DRIVE_FILE' });
  });

  it('takes nothing of a tenant that is disconnected, has to reconnect, or was told to slow down', async () => {
    await is.add(importDriveFile(1, 'a'), importDriveFile(2, 'a'));
    await database.admin.query(`update tenant_drive_integrations set status = 'NEEDS_RECONNECT' where tenant_id = 1`);
    await database.admin.query('update tenant_drive_integrations set slow_until = $1 where tenant_id = 2', [later(30)]);
    expect(await is.claim()).toEqual([]);
    expect((await is.claim('worker-1', 10, later(31))).map(({ tenantId }) => tenantId)).toEqual([2]);
  });

  it('takes what there is no handler for, also without a connection, so that it does not wait for ever', async () => {
    await is.clear();
    await database.admin.query(
      `insert into drive_sync_jobs (tenant_id, job_type, next_run_at) values (1, 'SOMETHING_NEW', $1)`,
      [NOW],
    );
    expect(await is.claim()).toMatchObject([{ type: 'SOMETHING_NEW' }]);
  });
});

describe('the end of a try', () => {
  it('a failure that may be retried: PENDING again, one try more, not before its time', async () => {
    await is.add(importDriveFile(1, 'a'));
    const [job] = await is.claim();
    expect(await is.queue.finish(job!, { status: 'PENDING', at: later(7), error: '503' }, NOW)).toBe(true);
    expect(await is.row(job!.id)).toMatchObject({
      status: 'PENDING',
      retry_count: 1,
      next_run_at: later(7),
      last_error: '503',
    });
    expect(await is.claim()).toEqual([]);
  });

  it('a failure for good: FAILED with the reason and the moment', async () => {
    await is.add(importDriveFile(1, 'a'));
    const [job] = await is.claim();
    await is.queue.finish(job!, { status: 'FAILED', error: 'no' }, later(1));
    expect(await is.row(job!.id)).toMatchObject({
      status: 'FAILED',
      last_error: 'no',
      finished_at: later(1),
      lease_token: null,
    });
  });

  it('given back: no try is used up', async () => {
    await is.add(importDriveFile(1, 'a'));
    const [job] = await is.claim();
    await is.queue.finish(job!, { status: 'PARKED', error: 'reconnect' }, NOW);
    expect(await is.row(job!.id)).toMatchObject({ status: 'PENDING', retry_count: 0 });
  });

  it('while its like waits: the two become one, which has used up the tries of both', async () => {
    await is.add(processChanges(1));
    const [job] = await is.claim();
    await is.add(processChanges(1));
    await is.queue.finish(job!, { status: 'PENDING', at: later(20), error: '503' }, NOW);
    expect(await is.row(job!.id)).toMatchObject({ status: 'SKIPPED' });
    const { rows } = await database.admin.query(
      `select retry_count, next_run_at from drive_sync_jobs where status = 'PENDING'`,
    );
    expect(rows).toEqual([{ retry_count: 1, next_run_at: later(20) }]);
  });

  it('is not written without the lease', async () => {
    await is.add(importDriveFile(1, 'a'));
    const [late] = await is.claim('worker-1');
    await is.expireLeases();
    expect(await is.queue.recover(NOW)).toBe(1);
    const [taken] = await is.claim('worker-2');
    expect(taken!.id).toBe(late!.id);
    expect(await is.queue.finish(late!, { status: 'FAILED', error: 'late' }, NOW)).toBe(false);
    expect(await is.queue.finish(taken!, { status: 'SUCCESS' }, NOW)).toBe(true);
    expect(await is.row(taken!.id)).toMatchObject({ status: 'SUCCESS', last_error: null });
  });
});

describe('leases', () => {
  it('are extended while they are held, and tell of what was cancelled', async () => {
    await is.files(1, 2);
    const jobs = await is.claim();
    await is.queue.cancel(ALICE, jobs[0]!.uid, 'alice', NOW);
    const report = await is.queue.renew(
      [...jobs.map(({ leaseToken }) => leaseToken), '00000000-0000-4000-8000-000000000000'],
      60,
    );
    expect(report).toEqual({ lost: ['00000000-0000-4000-8000-000000000000'], cancelled: [jobs[0]!.leaseToken] });
  });

  it('of a process that is known to be dead are taken over at once', async () => {
    await is.files(1, 1);
    await is.claim('dead');
    expect(await is.queue.recover(NOW)).toBe(0);
    await database.admin.query(
      `insert into instances (id, host, pid, version, started_at, heartbeat_at, stopped_at) values ('dead', 'h', 1, '1', now(), now(), now())`,
    );
    expect(await is.queue.recover(NOW)).toBe(1);
  });

  it('a job that takes five workers with it is failed', async () => {
    await is.files(1, 1);
    for (let death = 0; death < 5; death++) {
      expect(await is.claim()).toHaveLength(1);
      await is.expireLeases();
      await is.queue.recover(NOW);
    }
    expect(await is.queue.counts(SYSTEM)).toMatchObject({ FAILED: 1, PENDING: 0 });
  });
});

describe('people', () => {
  it('see and change the jobs of their own tenant only', async () => {
    await is.add(importDriveFile(1, 'a'), importDriveFile(2, 'b'));
    const [job] = await is.queue.list(ALICE, {}, { limit: 10 });
    expect(job!.tenantId).toBe(1);
    expect(await is.queue.find(BOB, job!.uid)).toBeNull();
    expect(await is.queue.cancel(BOB, job!.uid, 'bob', NOW)).toBeNull();
    expect(await is.queue.retry(BOB, job!.uid, NOW)).toBeNull();
    expect(await is.queue.counts(BOB)).toMatchObject({ PENDING: 1 });
    expect(await is.queue.find(ALICE, 'no uuid')).toBeNull();
  });

  it('cancel what waits, and try again what was cancelled or failed', async () => {
    await is.add(importDriveFile(1, 'a'));
    const [job] = await is.queue.list(ALICE, { status: 'PENDING' }, { limit: 10 });
    expect(await is.queue.cancel(ALICE, job!.uid, 'alice', NOW)).toMatchObject({
      status: 'SKIPPED',
      lastError: 'Cancelled by alice.',
    });
    await expect(is.queue.cancel(ALICE, job!.uid, 'alice', NOW)).rejects.toThrow(JobStateError);
    expect(await is.queue.retry(ALICE, job!.uid, later(1))).toMatchObject({ status: 'PENDING', retryCount: 0 });
    await expect(is.queue.retry(ALICE, job!.uid, NOW)).rejects.toThrow(JobStateError);
  });

  it('cannot try again what waits already as another job', async () => {
    await is.add(renameFolder(1, 'task', 't'));
    const [job] = await is.claim();
    await is.queue.finish(job!, { status: 'FAILED', error: 'no' }, NOW);
    await is.add(renameFolder(1, 'task', 't'));
    await expect(is.queue.retry(ALICE, job!.uid, NOW)).rejects.toThrow('the same waits as another job');
  });

  it('a cancelled one that succeeds has succeeded; one that fails does not come back', async () => {
    await is.files(1, 2);
    const [a, b] = await is.claim();
    for (const job of [a, b]) await is.queue.cancel(ALICE, job!.uid, 'alice', NOW);
    await is.queue.finish(a!, { status: 'SUCCESS' }, NOW);
    await is.queue.finish(b!, { status: 'PENDING', at: later(5), error: '503' }, NOW);
    expect([(await is.row(a!.id)).status, (await is.row(b!.id)).status]).toEqual(['SUCCESS', 'SKIPPED']);
  });

  it('page through them, newest first', async () => {
    await is.files(1, 5);
    const first = await is.queue.list(ALICE, {}, { limit: 3 });
    const second = await is.queue.list(ALICE, {}, { limit: 3, before: first.at(-1)!.id });
    expect([...first, ...second].map(({ payload }) => payload.drive_file_id)).toEqual(
      [4, 3, 2, 1, 0].map((nr) => `file-${nr}`),
    );
  });
});

test('what ended long ago is forgotten, what waits is not', async () => {
  await is.files(1, 2);
  const [job] = await is.claim('worker-1', 1);
  await is.queue.finish(job!, { status: 'SUCCESS' }, NOW);
  expect(await is.queue.forget(later(1))).toBe(1);
  expect(await is.queue.forget(later(1))).toBe(0);
  expect(await is.queue.counts(SYSTEM)).toMatchObject({ PENDING: 1, SUCCESS: 0 });
});
