// DispatchLedger.adopt, activeRuns, nextDue, backlog: what recovery, the poller's sleep and the metrics ask of the books.
import { ACTIVE_STATUSES, RUN_STATUSES } from '../../../src/schedule/domain/run-status';
import { aRun, aTask, at, NOON, once } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { STORAGES, type Storage } from '../../support/schedule-storage';

const ALIVE = { heartbeatAt: at('2026-07-27T11:59:01Z'), stoppedAt: null };
const SILENT = { heartbeatAt: at('2026-07-27T11:59:00Z'), stoppedAt: null };
const STOPPED = { heartbeatAt: NOON, stoppedAt: NOON };
const LATER = at('2026-07-27T12:10:00Z');

describe.each(STORAGES)('recovery and reading the books, %s', (_name, open) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await open();
  });
  afterAll(() => storage.close());
  beforeEach(async () => {
    await storage.is.clear();
    await storage.is.setLeaseClock(NOON);
  });

  describe('adopt: takes over queued runs of processes that are gone, and of the process itself', () => {
    const adoption = async (changes: Parameters<typeof aRun>[0] = {}) => {
      await storage.is.put(aTask({ status: 'running' }), { owner: 'instance-1', expiresAt: LATER });
      await storage.is.putRun(aRun({ instanceId: 'instance-1', ...changes }));
      return storage.ledger.adopt(['task-run-1'], 'instance-2');
    };
    test('of one that is dead, under the same id', async () => {
      await storage.is.putInstance('instance-1', STOPPED);
      expect(await adoption()).toMatchObject({
        claimed: [{ task: { id: 'task-1' }, run: { id: 'task-run-1', instanceId: 'instance-2', status: 'queued' } }],
        unreadable: [],
      });
      expect(await storage.is.runsOf('task-1')).toMatchObject([{ instanceId: 'instance-2' }]);
    });
    test('of one nobody knows any more', async () => {
      expect((await adoption()).claimed).toHaveLength(1);
    });
    test('its own', async () => {
      await storage.is.putInstance('instance-2', ALIVE);
      expect((await adoption({ instanceId: 'instance-2' })).claimed).toHaveLength(1);
    });
    test('the lease goes with the run, so that the record of its launch gives it back', async () => {
      await adoption();
      expect((await storage.is.state('task-1')).lease).toEqual({ owner: 'instance-2', expiresAt: LATER });
      const launch = { agentRunId: 'agent-1', startedAt: NOON };
      await storage.ledger.record('task-run-1', { type: 'launched', launch });
      expect(await storage.is.state('task-1')).toMatchObject({ status: 'enabled', lease: null });
    });
    test.each([
      ['with a heartbeat', ALIVE],
      ['silent, and not declared dead', SILENT],
    ])('a run that another living process owns (%s) is missing from the answer', async (_what, instance) => {
      await storage.is.putInstance('instance-1', instance);
      expect(await adoption()).toEqual({ claimed: [], unreadable: [] });
      expect(await storage.is.runsOf('task-1')).toMatchObject([{ instanceId: 'instance-1' }]);
    });
    test('one that another process took first is missing, too', async () => {
      await storage.is.putInstance('instance-2', ALIVE);
      await storage.is.putInstance('instance-3', ALIVE);
      await adoption();
      expect(await storage.ledger.adopt(['task-run-1'], 'instance-3')).toEqual({ claimed: [], unreadable: [] });
    });
    test.each(RUN_STATUSES.filter((status) => status !== 'queued'))('%s is nothing to launch', async (status) => {
      expect(await adoption({ status })).toEqual({ claimed: [], unreadable: [] });
    });
    test('a task that can no longer be read is taken over too, and said so', async () => {
      await storage.is.put(aTask());
      await storage.is.spoil('task-1');
      await storage.is.putRun(aRun({ instanceId: 'instance-1' }));
      const { claimed, unreadable } = await storage.ledger.adopt(['task-run-1'], 'instance-2');
      expect(claimed).toEqual([]);
      expect(unreadable).toMatchObject([{ runId: 'task-run-1' }]);
      const failure = { type: 'launch-failed', error: 'corrupt', at: NOON } as const;
      expect(await storage.ledger.record('task-run-1', failure)).toMatchObject({ run: { status: 'failed' } });
    });
  });

  describe('activeRuns: created before an instant, by id, beginning after an id', () => {
    test('queued and running only, in order, page by page', async () => {
      for (const [nr, status] of RUN_STATUSES.entries()) {
        await storage.is.putRun(aRun({ id: `task-run-${nr}`, taskId: `task-${nr}`, status }));
      }
      const ids = async (after: string | null, limit: number) =>
        (await storage.ledger.activeRuns(LATER, after, limit)).map(({ run }) => run.id);
      const [queued, running] = ['task-run-1', 'task-run-2'];
      expect(await ids(null, 10)).toEqual([queued, running]);
      expect(await ids(null, 1)).toEqual([queued]);
      expect(await ids('task-run-1', 10)).toEqual([running]);
      expect(await storage.ledger.activeRuns(NOON, null, 10)).toEqual([]);
    });
    test.each([
      ['alive', ALIVE, true],
      ['silent, and not declared dead', SILENT, true],
      ['stopped', STOPPED, false],
    ])(`${title('startup-10')} (%s)`, async (_what, instance, ownerAlive) => {
      await storage.is.putInstance('instance-1', instance);
      await storage.is.putRun(aRun());
      expect(await storage.ledger.activeRuns(LATER, null, 10)).toMatchObject([{ ownerAlive }]);
    });
    test('an owner nobody knows is not alive', async () => {
      await storage.is.putRun(aRun({ instanceId: null }));
      expect(await storage.ledger.activeRuns(LATER, null, 10)).toMatchObject([{ ownerAlive: false }]);
    });
  });

  describe('nextDue: the instant of the earliest task that may be claimed', () => {
    const earliest = async () => (await storage.ledger.nextDue(NOON)).earliest;
    test('null when none is waiting', async () => {
      await storage.is.put(aTask({ nextRunAt: null }));
      await storage.is.put(aTask({ id: 'task-2', status: 'paused' }));
      await storage.is.put(aTask({ id: 'task-3', status: 'running' }));
      expect(await earliest()).toBeNull();
    });
    test('an idle one beside it, up to the horizon', async () => {
      const [first, second] = [at('2026-07-27T12:00:05Z'), at('2026-07-27T12:00:06Z')];
      await storage.is.put(aTask({ nextRunAt: first }));
      await storage.is.put(aTask({ id: 'task-2', nextRunAt: second }));
      expect(await storage.ledger.nextDue(second)).toEqual({ earliest: first, earliestIdle: first });
      await storage.is.putRun(aRun({ status: 'running' }));
      expect(await storage.ledger.nextDue(second)).toEqual({ earliest: first, earliestIdle: second });
      expect(await storage.ledger.nextDue(first)).toEqual({ earliest: first, earliestIdle: null });
    });
    test('one in other hands counts while its instant is still to come', async () => {
      await storage.is.put(aTask({ status: 'running' }), { owner: 'x', expiresAt: LATER });
      expect(await earliest()).toEqual(at('2026-07-28T09:00:00Z'));
      await storage.is.setLeaseClock(LATER);
      await storage.is.put(aTask({ id: 'task-2', nextRunAt: LATER }), { owner: 'x', expiresAt: LATER });
      expect(await earliest()).toEqual(at('2026-07-28T09:00:00Z'));
    });
    test('due or to come, without those that are due in living hands', async () => {
      await storage.is.put(aTask({ nextRunAt: at('2026-07-27T09:00:00Z') }), { owner: 'x', expiresAt: NOON });
      await storage.is.put(aTask({ id: 'task-2', nextRunAt: LATER }));
      await storage.is.put(aTask({ id: 'task-3' }));
      expect(await earliest()).toEqual(LATER);
      await storage.is.setLeaseClock(LATER);
      expect(await earliest()).toEqual(at('2026-07-27T09:00:00Z'));
    });
  });

  describe('backlog', () => {
    test('counts what is due, what is active, and what waits for nothing', async () => {
      expect(await storage.ledger.backlog(NOON)).toEqual({
        ...{ dueTasks: 0, oldestDueAt: null, activeRuns: 0, tasksWithoutNextRun: 0 },
      });
      await storage.is.put(aTask({ nextRunAt: at('2026-07-27T09:00:00Z') }));
      await storage.is.put(aTask({ id: 'task-2', nextRunAt: NOON }));
      await storage.is.put(aTask({ id: 'task-3' }));
      await storage.is.put(aTask({ id: 'task-4', nextRunAt: null }));
      await storage.is.put(aTask({ id: 'task-5', nextRunAt: NOON, status: 'paused' }));
      await storage.is.put(aTask({ id: 'task-6', spec: once('2026-07-27T12:00:00Z'), status: 'completed' }));
      for (const [nr, status] of ACTIVE_STATUSES.entries()) {
        await storage.is.putRun(aRun({ id: `task-run-${nr}`, taskId: `task-${nr}`, status }));
      }
      expect(await storage.ledger.backlog(NOON)).toEqual({
        ...{ dueTasks: 2, oldestDueAt: at('2026-07-27T09:00:00Z'), activeRuns: 2, tasksWithoutNextRun: 1 },
      });
    });
  });
});
