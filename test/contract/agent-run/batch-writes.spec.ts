import { bySize, togetherOrAlone } from '../../../src/agent-run/outbound/batch-writes';
import { SqlAgentRunRepository } from '../../../src/agent-run/outbound/sql-agent-run-repository';
import type { Sessions } from '../../../src/platform/persistence/sessions';
import { DatabaseUnavailableError } from '../../../src/platform/persistence/sql-errors';
import { aRun, at, saying } from '../../support/fakes/agent-run-builder';

test("a fault of one item is that item's; the others are written", async () => {
  const writes: number[][] = [];
  const outcomes = await togetherOrAlone([1, 2, 3], (items) => {
    writes.push([...items]);
    return items.includes(2) ? Promise.reject(new Error('two')) : Promise.resolve(items.map((item) => item * 10));
  });
  expect(outcomes).toEqual([{ done: 10 }, { failed: new Error('two') }, { done: 30 }]);
  expect(writes).toEqual([[1, 2, 3], [1], [2], [3]]);
});

test('a database that is away is not asked again item by item', async () => {
  const write = jest.fn(() => Promise.reject(new DatabaseUnavailableError('gone')));
  expect(await togetherOrAlone([1, 2], write)).toEqual(
    [1, 2].map(() => ({ failed: expect.any(DatabaseUnavailableError) })),
  );
  expect(write).toHaveBeenCalledTimes(1);
});

test('a deadlock is tried once more', async () => {
  let calls = 0;
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  const write = () => (calls++ === 0 ? Promise.reject(deadlock) : Promise.resolve(['done']));
  expect(await togetherOrAlone([1], write)).toEqual([{ done: 'done' }]);
});

test('parts stay below the size, and a single large item is a part of its own', () => {
  const same = (size: number): number => size;
  expect(bySize([4, 4, 4, 20, 1, 9], same, 10)).toEqual([[4, 4], [4], [20], [1, 9]]);
  expect(bySize([], same, 10)).toEqual([]);
});

test('an end outlasts a database that is away for a while', async () => {
  const run = aRun();
  let attempts = 0;
  const sessions = {
    run: (_actor: unknown, work: (tx: { query: () => Promise<unknown[]> }) => Promise<unknown>) =>
      ++attempts < 3
        ? Promise.reject(new DatabaseUnavailableError('gone'))
        : work({ query: () => Promise.resolve([{ id: run.id }]) }),
  } as unknown as Sessions;
  const runs = new SqlAgentRunRepository(sessions, { windowMs: 0, max: 10, retryMs: 1 });
  expect(await runs.recordEnd(run.endedWith(saying('x'), at(1)))).toBe(true);
  expect(attempts).toBe(3);
  attempts = 0;
  await expect(runs.recordStart(run.started(at(1)))).rejects.toThrow(DatabaseUnavailableError);
});
