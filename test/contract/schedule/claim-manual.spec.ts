// DispatchLedger.claimManual: "Takes one task for a run by hand, in any state, under the same locks: a queued run, or
// nothing at all where the task is absent or another's, has an active run, or no place is free."
import { CorruptTaskError } from '../../../src/schedule/domain/errors';
import { ACTIVE_STATUSES } from '../../../src/schedule/domain/run-status';
import { TASK_STATUSES } from '../../../src/schedule/domain/status';
import { aRun, aTask, at, NOON, once, OWNER } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const ORDER = { now: NOON, instanceId: 'instance-1', leaseSeconds: 120, budget: 10 };

describe.each(STORAGES)('claiming by hand, %s', (_name, open) => {
  let storage: Storage;
  const claim = (changes: Partial<typeof ORDER> = {}, owner = OWNER, taskId = 'task-1') =>
    storage.ledger.claimManual(owner, taskId, { ...ORDER, ...changes });

  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    await storage.is.clear();
    await storage.is.setLeaseClock(NOON);
  });

  test.each(
    TASK_STATUSES.flatMap((status) => [aTask({ status }), aTask({ status, spec: once('2026-08-01T09:00:00Z') })]),
  )(
    'a task in any state gets a queued run and a lease, and stays as it is otherwise: $scheduleType, $status',
    async (task) => {
      await storage.is.put(task);
      const claimed = await claim();
      const [run] = await storage.is.runsOf('task-1');
      expect(claimed).toMatchObject({ outcome: 'claimed', task: { id: 'task-1' }, run: { ...run } });
      expect(run).toMatchObject({ status: 'queued', trigger: 'manual', scheduledFor: NOON, instanceId: 'instance-1' });
      expect(await storage.is.state('task-1')).toEqual({
        ...{ ...task.progress, version: 2, deletedAt: null },
        lease: { owner: 'instance-1', expiresAt: at('2026-07-27T12:02:00Z') },
      });
    },
  );
  test('the run is on the bound thread', async () => {
    await storage.is.put(aTask({ contextMode: 'reuse_thread', threadId: 'mine' }));
    expect(await claim()).toMatchObject({ run: { threadId: 'mine' } });
  });
  test('its lease keeps pollers off; when that has run out the due occurrence leaves its mark', async () => {
    await storage.is.put(aTask({ nextRunAt: at('2026-07-27T11:00:00Z') }));
    await claim();
    expect(await storage.ledger.claimDue({ ...ORDER, limit: 10 })).toMatchObject({ claimed: [], skipped: 0 });
    await storage.is.setLeaseClock(at('2026-07-27T12:02:00.001Z'));
    expect(await storage.ledger.claimDue({ ...ORDER, limit: 10 })).toMatchObject({ claimed: [], skipped: 1 });
  });

  describe('nothing at all', () => {
    const untouched = async (): Promise<void> => {
      expect(await storage.is.state('task-1')).toMatchObject({ version: 1, lease: null });
      expect((await storage.is.runsOf('task-1')).filter(({ id }) => id !== 'task-run-1')).toEqual([]);
    };
    test.each(ACTIVE_STATUSES)(`${title('trigger-02')} (%s)`, async (status) => {
      await storage.is.put(aTask());
      await storage.is.putRun(aRun({ status }));
      expect(await claim()).toEqual({ outcome: 'active-run' });
      await untouched();
    });
    test('where no place is free', async () => {
      await storage.is.put(aTask());
      await storage.is.putRun(aRun({ taskId: 'task-x' }));
      expect(await claim({ budget: 1 })).toEqual({ outcome: 'budget-full' });
      await untouched();
    });
    test('an active run is named before the budget: it is what the caller can do something about', async () => {
      await storage.is.put(aTask());
      await storage.is.putRun(aRun());
      expect(await claim({ budget: 1 })).toEqual({ outcome: 'active-run' });
    });
    test.each([
      ['another user’s', { tenantId: 1, userId: 'bob' }],
      ['the same user id in another tenant', { tenantId: 2, userId: 'alice' }],
    ])('where the task is %s', async (_what, owner) => {
      await storage.is.put(aTask());
      expect(await claim({}, owner)).toEqual({ outcome: 'absent' });
      await untouched();
    });
    test('where the task is absent, or deleted', async () => {
      expect(await claim({}, OWNER, 'task-none')).toEqual({ outcome: 'absent' });
      await storage.is.put(aTask().delete(NOON));
      expect(await claim()).toEqual({ outcome: 'absent' });
    });
    test('where the row makes no task', async () => {
      await storage.is.put(aTask());
      await storage.is.spoil('task-1');
      await expect(claim()).rejects.toThrow(CorruptTaskError);
      await untouched();
    });
  });
  test(title('trigger-07'), async () => {
    await storage.is.put(aTask());
    await storage.is.putRun(aRun({ taskId: 'task-x', status: 'running' }));
    expect(await claim({ budget: 2 })).toMatchObject({ outcome: 'claimed' });
  });
  test('a second one while the first is under way', async () => {
    await storage.is.put(aTask());
    await claim();
    expect(await claim()).toEqual({ outcome: 'active-run' });
  });
});
