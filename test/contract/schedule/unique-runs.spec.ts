// The backstops behind every claim: what no statement can write, whatever became of the locks.
import { testDatabase, type TestDatabase } from '../../support/database';
import { aRun, at } from '../../support/schedule-builders';
import { title } from '../../support/schedule-cases';
import { ScheduleTables } from '../../support/schedule-tables';

let database: TestDatabase;
let is: ScheduleTables;
beforeAll(async () => {
  database = await testDatabase();
  is = await ScheduleTables.in(database);
});
afterAll(() => database.close());
beforeEach(() => is.clear());

const SECOND = { id: 'task-run-2', scheduledFor: at('2026-07-28T12:00:00Z') };

test(`${title('startup-13')} (ours: there is no older version, the index is there from the first one on)`, async () => {
  for (const status of ['queued', 'running'] as const) {
    await is.clear();
    await is.putRun(aRun({ status }));
    await expect(is.putRun(aRun(SECOND))).rejects.toMatchObject({ constraint: 'uq_scheduled_task_run_active' });
    await is.putRun(aRun({ ...SECOND, taskId: 'task-2' }));
  }
});
test('beside it a task has one run that waits, not two', async () => {
  await is.putRun(aRun());
  await is.putRun(aRun({ ...SECOND, status: 'waiting' }));
  const third = aRun({ id: 'task-run-3', status: 'waiting', trigger: 'manual' });
  await expect(is.putRun(third)).rejects.toMatchObject({ constraint: 'uq_scheduled_task_run_waiting' });
});
test('an occurrence has one run, ended or not; runs by hand are no occurrences', async () => {
  await is.putRun(aRun({ status: 'success' }));
  await expect(is.putRun(aRun({ id: 'task-run-2' }))).rejects.toMatchObject({
    constraint: 'uq_scheduled_task_run_occurrence',
  });
  await is.putRun(aRun({ id: 'task-run-2', trigger: 'manual' }));
});
