// Runs that wait for their thread: when their turn comes, and what becomes of a turn of several.
import { at, alice } from '../../support/fakes/agent-run-builder';
import { agentRuns, startInput } from '../../support/fakes/agent-run-parts';

let house: ReturnType<typeof agentRuns>;
beforeEach(() => {
  house = agentRuns();
});
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const enqueue = (requestId: string, second: number, prompt = requestId) =>
  house.start.run(alice, startInput({ requestId, prompt, whenBusy: 'enqueue' }), at(second));

test('waits for the one at work, is started at its end, and hears of its own', async () => {
  await house.start.run(alice, startInput({ requestId: 'first' }), at(0));
  const queued = await enqueue('second', 1);
  expect(queued).toMatchObject({ outcome: 'queued', threadId: 'thread' });
  await house.promote.added('thread');
  expect(house.driver.launches).toHaveLength(1);
  house.driver.end('first');
  await nextTick();
  expect(house.driver.launches.map(({ requestId }) => requestId)).toEqual(['first', 'second']);
  house.driver.end('second');
  await nextTick();
  expect(house.told.map(({ requestId, status }) => [requestId, status])).toEqual([
    ['first', 'success'],
    ['second', 'success'],
  ]);
});

test('a backlog is one turn: one launch with all prompts in order; each run ends with it, the answer is said once', async () => {
  await house.start.run(alice, startInput({ requestId: 'first' }), at(0));
  for (const [nr, id] of ['a', 'b', 'c'].entries()) await enqueue(id, nr + 1, `prompt ${id}`);
  await house.promote.added('thread');
  house.driver.end('first');
  await nextTick();
  expect(house.driver.launches[1]).toMatchObject({ requestId: 'a', prompt: 'prompt a\n\nprompt b\n\nprompt c' });
  house.driver.end('a', { output: { text: 'done', droppedBytes: 0 } });
  await nextTick();
  expect(house.told.slice(1).map(({ requestId, status }) => [requestId, status])).toEqual([
    ['a', 'success'],
    ['b', 'success'],
    ['c', 'success'],
  ]);
  expect(house.runs.threads.said.filter(({ role }) => role === 'assistant').map(({ content }) => content)).toEqual([
    'done',
  ]);
});

test('whoever asks for several at once gets one turn', async () => {
  const inputs = ['a', 'b'].map((requestId) => startInput({ requestId, prompt: requestId }));
  const results = await house.start.together(alice, inputs, at(0));
  expect(results).toMatchObject([{ outcome: 'started' }, { outcome: 'started' }]);
  expect(new Set(results.map((result) => ('agentRunId' in result ? result.agentRunId : ''))).size).toBe(2);
  expect(house.driver.launches).toMatchObject([{ prompt: 'a\n\nb' }]);
  expect(await house.start.together(alice, [startInput({ requestId: 'c' })], at(1))).toEqual([{ outcome: 'busy' }]);
});

test('cancelling one of a turn ends the turn', async () => {
  const inputs = ['a', 'b'].map((requestId) => startInput({ requestId }));
  const [, second] = await house.start.together(alice, inputs, at(0));
  await house.cancel.run(alice, second?.outcome === 'started' ? second.agentRunId : '', at(1));
  await nextTick();
  expect(house.told.map(({ requestId, status }) => [requestId, status])).toEqual([
    ['a', 'interrupted'],
    ['b', 'interrupted'],
  ]);
});

test('who waits too long is given up, and says why', async () => {
  await house.start.run(alice, startInput({ requestId: 'first' }), at(0));
  await enqueue('late', 1);
  await house.promote.run(new Date(at(1).getTime() + 3_600_001));
  expect(house.told).toMatchObject([{ requestId: 'late', status: 'error', error: expect.stringContaining('3600 s') }]);
});

test('a process that stops gives its turn back', async () => {
  await house.start.run(alice, startInput({ requestId: 'first' }), at(0));
  await enqueue('second', 1);
  house.queue.close();
  await house.promote.added('thread');
  house.driver.end('first');
  await nextTick();
  const [second] = await house.runs.byRequestIds(alice, ['second']);
  expect(second?.fields).toMatchObject({ status: 'queued', instanceId: null, turnOf: null });
});
