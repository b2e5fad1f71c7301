// When the worker looks at its queue again.
import type { QueueView } from '../../../src/drive-sync/ports/job-queue';
import { DrainQueue } from '../../../src/drive-sync/usecases/drain-queue';
import { JobHandlers } from '../../../src/drive-sync/usecases/job-handlers';

const NOW = new Date('2027-01-01T12:00:00Z');
const NOTHING: QueueView = { waiting: false, working: false, unsynced: [] };

function workerThatSees(view: Partial<QueueView>, arrives = true) {
  const asked: string[] = [];
  const queue = {
    look: () => (asked.push('look'), Promise.resolve({ ...NOTHING, ...view })),
    claim: () => (asked.push('claim'), Promise.resolve([])),
    recover: () => (asked.push('recover'), Promise.resolve(0)),
    enqueue: () => (asked.push('enqueue'), Promise.resolve(1)),
  };
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const policy = { intervalMs: 5_000, batchSize: 10, leaseSeconds: 30, pollMinutes: 10 };
  const parts = [queue, { arrives }, new JobHandlers([]), {}, {}, silent, policy, { id: 'me' }, { now: () => NOW }];
  const worker = new DrainQueue(...(parts as unknown as ConstructorParameters<typeof DrainQueue>));
  return { worker, asked };
}

const SOON = new Date(NOW.getTime() + 5_000);

it.each([
  ['nothing to do: one question, and rest until somebody wakes it', {}, true, null, ['look']],
  ['nothing to do, and wakes of others do not arrive', {}, false, SOON, ['look']],
  ['something waits', { waiting: true }, true, SOON, ['look', 'claim']],
  ['somebody works, who may die', { working: true }, true, SOON, ['look', 'recover', 'claim']],
  ['a feed was not read for long', { unsynced: [1] }, true, SOON, ['look', 'enqueue', 'claim']],
])('%s', async (_, view, arrives, next, expected) => {
  const { worker, asked } = workerThatSees(view, arrives);
  expect(await worker.run(NOW)).toEqual(next);
  expect(asked).toEqual(expected);
});
