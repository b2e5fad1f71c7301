import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { alice, at, saying } from '../../support/fakes/agent-run-builder';
import { agentRuns, startInput } from '../../support/fakes/agent-run-parts';

let house: ReturnType<typeof agentRuns>;
beforeEach(() => {
  house = agentRuns();
});

const slowDown = (retryAt: Date | null) => bareEnd('error', 'Slow down.', { reason: 'rate_limited', retryAt });
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function started(): Promise<void> {
  await house.start.run(alice, startInput(), at(5));
}

test('a run that was told to slow down waits, in nobody’s hands and with its thread, and is started again then', async () => {
  await started();
  house.driver.end('request', slowDown(at(40)));
  await settled();
  expect(house.told).toEqual([]);
  expect(house.stored('id-1')?.fields).toMatchObject({
    status: 'running',
    instanceId: null,
    retryAt: at(40),
    attempt: 2,
  });
  expect(await house.settle.run(at(30), 'all')).toBe(0);
  expect(await house.start.run(alice, startInput({ requestId: 'other' }), at(12))).toEqual({ outcome: 'busy' });
  expect(await house.tryAgain.run(at(39))).toEqual(at(40));
  expect(house.driver.launches).toHaveLength(1);
  expect(await house.tryAgain.run(at(40))).toBeNull();
  await settled();
  expect(house.driver.launches.map(({ agentRunId }) => agentRunId)).toEqual(['id-1', 'id-1']);
  house.driver.end('request', saying('now it worked'));
  await settled();
  expect(house.told).toMatchObject([{ id: 'id-1', status: 'success' }]);
});

test('without a moment, or with one too far away, or after ten attempts, it is the end', async () => {
  for (const retryAt of [null, new Date(at(10).getTime() + 25 * 3_600_000)]) {
    house = agentRuns();
    await started();
    house.driver.end('request', slowDown(retryAt));
    await settled();
    expect(house.told).toMatchObject([{ status: 'error', error: 'Slow down.' }]);
  }
  house = agentRuns();
  await started();
  for (let attempt = 1; attempt < 10; attempt++) {
    house.driver.end('request', slowDown(at(11)));
    await settled();
    expect(house.told).toEqual([]);
    await house.tryAgain.run(at(59));
    await settled();
  }
  house.driver.end('request', slowDown(at(11)));
  await settled();
  expect(house.driver.launches).toHaveLength(10);
  expect(house.told).toMatchObject([{ status: 'error' }]);
});

test('cancelled while it waits it is interrupted at once', async () => {
  await started();
  house.driver.end('request', slowDown(at(59)));
  await settled();
  await house.cancel.run(alice, 'id-1', at(20));
  await house.tryAgain.run(at(21));
  await settled();
  expect(house.told).toMatchObject([{ id: 'id-1', status: 'interrupted' }]);
  expect(house.driver.launches).toHaveLength(1);
});

test('a turn of several prompts waits and is tried again as a whole', async () => {
  const inputs = [startInput(), startInput({ requestId: 'second', prompt: 'and this' })];
  await house.start.together(alice, inputs, at(5));
  house.driver.end('request', slowDown(at(40)));
  await settled();
  expect(house.told).toEqual([]);
  await house.tryAgain.run(at(40));
  await settled();
  expect(house.driver.launches.map(({ prompt }) => prompt)).toEqual(Array(2).fill(`${inputs[0]!.prompt}\n\nand this`));
  house.driver.end('request', saying('now it worked'));
  await settled();
  expect(house.told.map(({ requestId, status }) => [requestId, status])).toEqual([
    ['request', 'success'],
    ['second', 'success'],
  ]);
});

test('refused at the second attempt it fails, and who waits hears of it', async () => {
  await started();
  house.driver.end('request', slowDown(at(11)));
  await settled();
  house.known.clear();
  await house.tryAgain.run(at(30));
  await settled();
  expect(house.told).toMatchObject([{ status: 'error', error: expect.stringContaining('no longer among') }]);
});
