import { alice, aRun, at } from '../../support/fakes/agent-run-builder';
import { agentRuns, startInput } from '../../support/fakes/agent-run-parts';

let house: ReturnType<typeof agentRuns>;
beforeEach(() => {
  house = agentRuns();
});

async function started(requestId: string): Promise<string> {
  const more = { requestId, threadId: `thread-of-${requestId}` };
  const result = await house.start.run(alice, startInput(more), at(1));
  return result.outcome === 'started' ? result.agentRunId : '';
}

test('a wish that another process has written down reaches the agent here, once it is looked for', async () => {
  const [wished] = [await started('wished'), await started('other')];
  await house.runs.recordCancelRequest(alice, wished, at(2));
  await house.heed.run(at(3));
  expect(house.driver.cancelled).toEqual([['wished', 'Cancelled by alice.']]);
});

test('a run that waits for its turn ends without having started', async () => {
  house.queue.held = true;
  const waiting = house.start.run(alice, startInput(), at(1));
  waiting.catch(() => undefined);
  const [id = ''] = await house.runs.heldBy('all').then((held) => held.map((run) => run.id));
  await house.runs.recordCancelRequest(alice, id, at(2));
  await house.heed.run(at(3));
  expect(house.stored(id)?.summary()).toMatchObject({ status: 'interrupted', error: 'Cancelled by alice.' });
});

test('runs of other processes are left to them', async () => {
  const theirs = aRun({ instanceId: 'alive' });
  await house.runs.open(alice, theirs, true);
  await house.runs.recordCancelRequest(alice, theirs.id, at(2));
  await house.heed.run(at(3));
  expect(house.stored(theirs.id)?.ended).toBe(false);
});

test('a process without a run in hand asks nobody', async () => {
  house.runs.cancelRequested = () => Promise.reject(new Error('asked'));
  await expect(house.heed.run(at(3))).resolves.toBeUndefined();
  await started('one');
  await expect(house.heed.run(at(3))).rejects.toThrow('asked');
});
