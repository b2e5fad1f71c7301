// AgentRunRepository, runs that wait: "Gives what waits for a thread its turn, when the thread is idle: the first in line,
// and those behind it for the same assistant and folder as parts of its turn, in order. Each gets it once, whatever other
// processes do."
import { systemActor } from '../../../src/kernel/actor';
import { SqlAgentRunRepository } from '../../../src/agent-run/outbound/sql-agent-run-repository';
import type { AgentRunRepository } from '../../../src/agent-run/ports/agent-run-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { alice, aRun, at, saying } from '../../support/fakes/agent-run-builder';
import { InMemoryAgentRuns } from '../../support/fakes/in-memory-agent-runs';

const house = systemActor('test');

function promises(store: () => AgentRunRepository): void {
  let runs: AgentRunRepository;
  let nr = 0;
  let threadId = '';
  beforeAll(() => {
    runs = store();
  });
  beforeEach(() => {
    threadId = `queue-${++nr}`;
  });
  const active = async () => {
    const run = aRun({ threadId });
    await runs.open(alice, run, true);
    return run;
  };
  const queued = async (second: number, more: Parameters<typeof aRun>[0] = {}) => {
    const run = aRun({ threadId, ...more }, at(second));
    expect(await runs.open(alice, run, true, { enqueue: true })).toEqual({ outcome: 'queued' });
    return run;
  };
  const ids = (turn: readonly { readonly id: string }[]): string[] => turn.map(({ id }) => id);

  test('an idle thread is opened at once; a busy one is waited for, in nobody’s hands', async () => {
    const first = aRun({ threadId });
    expect(await runs.open(alice, first, true, { enqueue: true })).toEqual({ outcome: 'opened' });
    const second = await queued(1);
    expect((await runs.find(alice, second.id))?.fields).toMatchObject({ status: 'queued', instanceId: null });
    const again = aRun({ threadId, requestId: second.fields.requestId });
    expect(await runs.open(alice, again, true, { enqueue: true })).toMatchObject({ outcome: 'known' });
    expect(await runs.queuedThreads(100)).toContain(threadId);
    expect(await runs.busyThreads(house, [threadId, 'idle'])).toEqual(new Set([threadId]));
  });

  test('who refuses to wait is refused by those who wait, also when nobody works', async () => {
    const first = await active();
    await queued(1);
    await runs.recordEnd(first.endedWith(saying(''), at(2)));
    expect(await runs.open(alice, aRun({ threadId }), true)).toEqual({ outcome: 'busy' });
  });

  test('a turn comes when the thread is idle, and is all that waits for the same assistant, in order', async () => {
    const first = await active();
    const [one, two, other, four] = [
      await queued(1),
      await queued(2),
      await queued(3, { assistantId: 'other' }),
      await queued(4),
    ];
    expect(await runs.promote(threadId, 'here')).toEqual([]);
    await runs.recordEnd(first.endedWith(saying(''), at(5)));
    const turn = await runs.promote(threadId, 'here');
    expect(ids(turn)).toEqual(ids([one, two]));
    expect(turn.map(({ fields }) => [fields.status, fields.instanceId, fields.turnOf])).toEqual([
      ['starting', 'here', null],
      ['starting', 'here', one.id],
    ]);
    expect(await runs.promote(threadId, 'here')).toEqual([]);
    for (const run of turn) await runs.recordEnd(run.endedWith(saying(''), at(6)));
    const next = await runs.promote(threadId, 'here');
    expect(ids(next)).toEqual([other.id]);
    await runs.requeue(next);
    expect(ids(await runs.promote(threadId, 'there'))).toEqual([other.id]);
    expect((await runs.find(alice, four.id))?.status).toBe('queued');
  });

  test('a turn that is put off stays one: nobody else’s, and taken again as a whole, its head first', async () => {
    const head = aRun({ threadId });
    const others = [aRun({ threadId, turnOf: head.id }, at(1)), aRun({ threadId, turnOf: head.id }, at(2))];
    const turn = [head, ...others];
    await runs.open(alice, head, true, { together: others });
    expect(await runs.recordRetry(turn, at(40))).toBe(true);
    expect(await runs.open(alice, aRun({ threadId }), true)).toEqual({ outcome: 'busy' });
    const early = await runs.takeRetries('a', at(39));
    expect(ids(early.due.flat())).not.toContain(head.id);
    const takes = await Promise.all([runs.takeRetries('a', at(40)), runs.takeRetries('b', at(40))]);
    const taken = takes.flatMap(({ due }) => due).filter(([first]) => first?.fields.threadId === threadId);
    expect(taken.map(ids)).toEqual([ids(turn)]);
    expect(await runs.recordRetry(turn, at(50))).toBe(true);
    await runs.recordCancelRequest(alice, others[1]!.id, at(41));
    const wished = (await runs.takeRetries('a', at(42))).due.filter(([first]) => first?.id === head.id);
    expect(wished.map(ids)).toEqual([ids(turn)]);
    await runs.recordEnd(head.endedWith(saying(''), at(43)));
    expect(await runs.recordRetry(turn, at(60))).toBe(false);
    expect((await runs.takeRetries('a', at(60))).nextAt).toBeNull();
  });

  test('those that have waited since before an instant', async () => {
    await active();
    const [early, late] = [await queued(1), await queued(3)];
    const found = ids(await runs.queuedBefore(at(3), 1_000));
    expect(found).toContain(early.id);
    expect(found).not.toContain(late.id);
  });

  test('several prompts are opened as one turn, or not at all', async () => {
    const head = aRun({ threadId });
    const others = [aRun({ threadId, turnOf: head.id, prompt: 'two' }), aRun({ threadId, turnOf: head.id })];
    expect(await runs.open(alice, head, true, { together: others })).toEqual({ outcome: 'opened' });
    expect((await runs.find(alice, others[0]?.id ?? ''))?.fields).toMatchObject({
      status: 'starting',
      turnOf: head.id,
    });
    const late = aRun({ threadId });
    const more = aRun({ threadId, turnOf: late.id });
    expect(await runs.open(alice, late, true, { together: [more] })).toEqual({ outcome: 'busy' });
    expect(await runs.find(alice, more.id)).toBeNull();
    await runs.recordEnd(others[0]!.endedWith(saying(''), at(1)));
    expect(await runs.busyThreads(house, [threadId])).toEqual(new Set([threadId]));
  });
}

describe('in memory', () => {
  const runs = new InMemoryAgentRuns();
  promises(() => runs);
});

describe('PostgreSQL', () => {
  let db: TestDatabase;
  let runs: SqlAgentRunRepository;
  beforeAll(async () => {
    db = await testDatabase();
    runs = new SqlAgentRunRepository(db.sessions, { windowMs: 1, max: 1000, retryMs: 5 });
  });
  afterAll(() => db.close());
  promises(() => runs);

  test('many processes promote: each run has one turn, in order', async () => {
    const threads = Array.from({ length: 20 }, (_, index) => `raced-${index}`);
    for (const threadId of threads) {
      const first = aRun({ threadId });
      await runs.open(alice, first, true);
      for (const second of [1, 2, 3]) await runs.open(alice, aRun({ threadId }, at(second)), true, { enqueue: true });
      await runs.recordEnd(first.endedWith(saying(''), at(5)));
    }
    const turns = await Promise.all(
      ['a', 'b', 'c', 'd'].flatMap((process) => threads.map((threadId) => runs.promote(threadId, process))),
    );
    const got = turns.filter((turn) => turn.length > 0);
    expect(got).toHaveLength(threads.length);
    expect(got.every((turn) => turn.length === 3)).toBe(true);
    expect(new Set(got.flat().map(({ id }) => id)).size).toBe(60);
  });
});
