// Workers over the same jobs: each job is taken by one of them, and jobs on one item never at once.
// Seen red: without LOCK_CLAIMS two claims see the same item free, and the unique index ends one of them with an error.
import { archiveDriveFile, importDriveFile, processChanges } from '../../../src/drive-sync/domain/jobs';
import { SqlJobQueue } from '../../../src/drive-sync/outbound/sql-job-queue';
import { blockedBackends } from '../../support/blocked-backends';
import { testDatabase, type TestDatabase } from '../../support/database';
import { DriveTables, NOW, SYSTEM, TYPES } from '../../support/drive/drive-tables';
import { HeldSessions } from '../../support/held-sessions';

let database: TestDatabase;
let is: DriveTables;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 20 });
  is = new DriveTables(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  await is.clear();
  await is.connected(1, 2);
});

const order = (owner: string, limit = 10) => ({ owner, leaseSeconds: 30, limit, types: TYPES, now: NOW });

test('four workers over 400 jobs take each once, and the first two overlap for certain', async () => {
  await is.files(1, 200);
  await is.files(2, 200);
  const sessions = new HeldSessions(database.source);
  const held = sessions.holdNext('drive jobs: claim' as never);
  const first = new SqlJobQueue(sessions).claim(order('worker-0'));
  await held.reached;
  const second = is.queue.claim(order('worker-1'));
  await blockedBackends(database, 1);
  held.release();
  const taken = [...(await first), ...(await second)].map(({ id }) => id);
  const drain = async (owner: string): Promise<void> => {
    for (;;) {
      const jobs = await is.queue.claim(order(owner));
      if (jobs.length === 0) return;
      taken.push(...jobs.map(({ id }) => id));
    }
  };
  await Promise.all(['a', 'b', 'c', 'd'].map(drain));
  expect(taken).toHaveLength(400);
  expect(new Set(taken).size).toBe(400);
});

test('two jobs on one item are never worked on at once, whoever claims', async () => {
  await is.add(importDriveFile(1, 'a'), archiveDriveFile(1, 'a'));
  const sessions = new HeldSessions(database.source);
  const held = sessions.holdNext('drive jobs: claim' as never);
  const first = new SqlJobQueue(sessions).claim(order('worker-0', 1));
  await held.reached;
  const second = is.queue.claim(order('worker-1', 1));
  await blockedBackends(database, 1);
  held.release();
  expect(await first).toHaveLength(1);
  expect(await second).toHaveLength(0);
});

test('twenty messages at once leave one job', async () => {
  const added = await Promise.all(Array.from({ length: 20 }, () => is.queue.enqueue(SYSTEM, [processChanges(1)], NOW)));
  expect(added.reduce((sum, count) => sum + count, 0)).toBe(1);
});

test('a cancel and a claim at once: it is cancelled, or worked on and asked to stop; never both, never lost', async () => {
  await is.files(1, 20);
  const alice = { type: 'user', tenantId: 1, userId: 'alice', roles: [] } as const;
  const jobs = await is.queue.list(alice, {}, { limit: 50 });
  const claims = [is.claim('a'), is.claim('b')];
  await Promise.all(jobs.map(({ uid }) => is.queue.cancel(alice, uid, 'alice', NOW)));
  const claimed = (await Promise.all(claims)).flat();
  for (const job of claimed) await is.queue.finish(job, { status: 'PENDING', at: NOW, error: 'again' }, NOW);
  expect(await is.queue.counts(alice)).toMatchObject({ SKIPPED: 20, PENDING: 0, IN_PROGRESS: 0 });
});

test('an end and its like that is queued at the same moment: one of them waits, and nothing fails', async () => {
  for (let round = 0; round < 10; round++) {
    await is.clear();
    await is.connected(1);
    await is.add(processChanges(1));
    const [job] = await is.claim();
    await Promise.all([
      is.queue.finish(job!, { status: 'PENDING', at: NOW, error: '503' }, NOW),
      is.queue.enqueue(SYSTEM, [processChanges(1)], NOW),
    ]);
    expect(await is.queue.counts(SYSTEM)).toMatchObject({ PENDING: 1, IN_PROGRESS: 0 });
  }
});
