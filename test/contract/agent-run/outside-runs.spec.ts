// The port OutsideRuns on real PostgreSQL: leases, deadlines, cancellations, whose run it is.
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { bareEnd } from '../../../src/agent-run/domain/run-end';
import type { OutsideOffer } from '../../../src/agent-run/ports/outside-runs';
import { outsideLaunch, outsideWorld, store, type OutsideWorld } from '../../support/agents/outside-stage';

const assistant = assistantFrom('puller', { driver: 'pull' }, '/');
const everybody = { tenantId: 1, userId: null };
const DONE = bareEnd('success', null, { result: 'done', retryAt: null });

let world: OutsideWorld;
beforeAll(async () => {
  world = await outsideWorld();
});
afterAll(() => world.close());
afterEach(() => world.database.admin.query('delete from outside_runs'));

async function offered(more: Partial<OutsideOffer> = {}) {
  const outside = world.outside();
  const launch = outsideLaunch(assistant, { owner: more.owner ?? { tenantId: 1, userId: 'alice' } });
  await store(world, launch);
  const { agentRunId, requestId, owner } = launch;
  const times = { leaseSeconds: 60, claimTimeoutSeconds: 600, timeoutSeconds: 900 };
  const offer: OutsideOffer = { agentRunId, requestId, owner, assistantId: 'puller', kind: 'pull', ...times, ...more };
  const token = await outside.offer(offer);
  return { outside, launch, agentRunId, requestId, offer, token };
}

const past = (agentRunId: string, column: 'lease_expires_at' | 'give_up_at') =>
  world.database.admin.query(
    `update outside_runs set ${column} = horarium_now() - interval '1 ms' where agent_run_id = $1`,
    [agentRunId],
  );

test('the oldest waiting run of the asked assistants, with all that its agent must know', async () => {
  const first = await offered();
  const second = await offered();
  expect(await first.outside.claim(everybody, ['other'], 'x')).toBeNull();
  const claimed = await first.outside.claim(everybody, ['other', 'puller'], 'x');
  expect(claimed).toMatchObject({
    agentRunId: first.agentRunId,
    requestId: first.requestId,
    threadId: first.launch.threadId,
    prompt: 'hello',
    attempt: 1,
    agentSession: null,
  });
  expect((await first.outside.claim(everybody, ['puller'], 'y'))?.agentRunId).toBe(second.agentRunId);
  expect(await first.outside.claim(everybody, ['puller'], 'z')).toBeNull();
});

test('a person gets only their own, a tenant only its own', async () => {
  const { outside, agentRunId } = await offered();
  expect(await outside.claim({ tenantId: 1, userId: 'bob' }, ['puller'], 'x')).toBeNull();
  expect(await outside.claim({ tenantId: 2, userId: null }, ['puller'], 'x')).toBeNull();
  expect((await outside.claim({ tenantId: 1, userId: 'alice' }, ['puller'], 'x'))?.agentRunId).toBe(agentRunId);
});

test('only the token of the run counts, its hash alone is stored, and the first report is the end', async () => {
  const { outside, agentRunId, requestId } = await offered();
  const { token } = (await outside.claim(everybody, ['puller'], 'x'))!;
  const { rows } = await world.database.admin.query('select * from outside_runs');
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(await outside.renew(agentRunId, 'hrt_other')).toBeNull();
  expect(await outside.report(agentRunId, 'hrt_other', DONE)).toBe(false);
  expect(await outside.renew(agentRunId, token)).toMatchObject({ cancelled: null });
  const ended = world.outside().ended(agentRunId);
  expect(await outside.report(agentRunId, token, DONE)).toBe(true);
  expect(await outside.report(agentRunId, token, bareEnd('error', 'too late'))).toBe(false);
  expect(await ended).toEqual(DONE);
  expect(await outside.renew(agentRunId, token)).toBeNull();
  expect(await outside.state(requestId)).toEqual({ state: 'ended', end: DONE });
});

test('a lost lease returns to the queue once; its agent has no say any more; the second loss is the end', async () => {
  const { outside, agentRunId } = await offered();
  const first = (await outside.claim(everybody, ['puller'], 'first'))!;
  await past(agentRunId, 'lease_expires_at');
  const back = new Promise<void>((resolve) => outside.whenOffered(resolve));
  const ended = outside.ended(agentRunId);
  await back;
  expect(await outside.report(agentRunId, first.token, DONE)).toBe(false);
  const second = (await outside.claim(everybody, ['puller'], 'second'))!;
  expect(second.attempt).toBe(2);
  await past(agentRunId, 'lease_expires_at');
  await world.bell.notify('outside-run-ended');
  expect(await ended).toMatchObject({
    status: 'error',
    error: 'The agent that had fetched the run gave no sign of life for 60 s.',
  });
  expect(await outside.report(agentRunId, second.token, DONE)).toBe(false);
});

test('a run that nobody fetches, or nobody finishes, ends', async () => {
  const [unfetched, unfinished] = [await offered(), await offered()];
  const ends = [unfetched.outside.ended(unfetched.agentRunId), unfinished.outside.ended(unfinished.agentRunId)];
  await unfetched.outside.claim(everybody, ['puller'], 'x');
  const [{ agent_run_id: claimed }] = (
    await world.database.admin.query('select agent_run_id from outside_runs where claimed_at is not null')
  ).rows as [{ agent_run_id: string }];
  for (const { agentRunId } of [unfetched, unfinished]) await past(agentRunId, 'give_up_at');
  await world.bell.notify('outside-run-ended');
  const told = await Promise.all(ends);
  const byId = new Map([unfetched, unfinished].map(({ agentRunId }, at) => [agentRunId, told[at]]));
  expect(byId.get(claimed)).toMatchObject({ status: 'timeout', error: expect.stringContaining('within 900 s') });
  byId.delete(claimed);
  expect([...byId.values()]).toMatchObject([{ status: 'error', error: 'No agent has fetched the run within 600 s.' }]);
});

test('cancelled before it is fetched it ends at once; at work its agent is told, and has the last word of its result', async () => {
  const waiting = await offered();
  const ended = waiting.outside.ended(waiting.agentRunId);
  await waiting.outside.cancel(waiting.requestId, 'Cancelled by alice.');
  expect(await ended).toMatchObject({ status: 'interrupted', error: 'Cancelled by alice.' });
  expect(await waiting.outside.claim(everybody, ['puller'], 'x')).toBeNull();

  const { outside, agentRunId, requestId } = await offered();
  const { token } = (await outside.claim(everybody, ['puller'], 'x'))!;
  await outside.cancel(requestId, 'first');
  await outside.cancel(requestId, 'second');
  expect(await outside.renew(agentRunId, token)).toMatchObject({ cancelled: 'first' });
  const end = outside.ended(agentRunId);
  await outside.report(agentRunId, token, DONE);
  expect(await end).toMatchObject({ status: 'interrupted', error: 'first', result: 'done' });
});

test('a claim that nobody has heard of is given back, and does not count', async () => {
  const { outside, agentRunId } = await offered();
  const lost = (await outside.claim(everybody, ['puller'], 'gone'))!;
  await outside.release(agentRunId, lost.token);
  expect(await outside.claim(everybody, ['puller'], 'x')).toMatchObject({ agentRunId, attempt: 1 });
});

test('what was reported can be put out anew, what is open cannot', async () => {
  const { outside, agentRunId, offer, token } = await offered({ kind: 'handed-over', leaseSeconds: null });
  expect(token).toMatch(/^hrt_/);
  expect(await outside.offer(offer)).toBeNull();
  await outside.report(agentRunId, token!, bareEnd('error', 'slow down', { reason: 'rate_limited' }));
  const anew = await outside.offer(offer);
  expect(anew).not.toBe(token);
  expect(await outside.report(agentRunId, token!, DONE)).toBe(false);
  expect(await outside.report(agentRunId, anew!, DONE)).toBe(true);
});
