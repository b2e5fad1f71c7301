import { systemActor } from '../../../src/kernel/actor';
import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { SqlAgentRunRepository } from '../../../src/agent-run/outbound/sql-agent-run-repository';
import { SqlThreadRepository } from '../../../src/agent-run/outbound/sql-thread-repository';
import type { AgentRunRepository } from '../../../src/agent-run/ports/agent-run-repository';
import type { Sessions } from '../../../src/platform/persistence/sessions';
import { DatabaseUnavailableError } from '../../../src/platform/persistence/sql-errors';
import { MOST_PAGE_BYTES, type ThreadRepository } from '../../../src/agent-run/ports/thread-repository';
import { testDatabase, type TestDatabase } from '../../support/database';
import { alice, aRun, at, bob, person, saying } from '../../support/fakes/agent-run-builder';
import { InMemoryAgentRuns } from '../../support/fakes/in-memory-agent-runs';

const house = systemActor('test');

interface Stores {
  readonly runs: AgentRunRepository;
  readonly threads: ThreadRepository;
}

function promises(stores: () => Stores): void {
  let runs: AgentRunRepository;
  let threads: ThreadRepository;
  beforeAll(() => ({ runs, threads } = stores()));

  const messages = async (threadId: string) =>
    (await threads.messages(house, threadId, { limit: 100, after: null })).map(({ role, content, agentRunId }) => [
      role,
      content,
      agentRunId,
    ]);

  describe('opening', () => {
    test('stores the run, its thread and its prompt, exactly as sent', async () => {
      const prompt = `'; drop table threads; -- <b>&amp;</b> 日本 😀 \\ {"a":1} \u2028`;
      const run = aRun({ prompt, metadata: { key: `'"\\ 😀`, empty: '' }, workingFolder: '/srv/work' });
      expect(await runs.open(alice, run, true)).toEqual({ outcome: 'opened' });
      expect((await runs.find(alice, run.id))?.fields).toEqual(run.fields);
      expect(await threads.find(alice, run.fields.threadId)).toMatchObject({ owner: run.fields.owner, title: null });
      expect(await messages(run.fields.threadId)).toEqual([['user', prompt, run.id]]);
    });

    test('is busy while another run is active on the thread, and no longer when that has ended', async () => {
      const first = aRun();
      const { threadId } = first.fields;
      await runs.open(alice, first, true);
      expect(await runs.open(alice, aRun({ threadId }), true)).toEqual({ outcome: 'busy' });
      await runs.recordStart(first.started(at(1)));
      expect(await runs.open(alice, aRun({ threadId }), false)).toEqual({ outcome: 'busy' });
      await runs.recordEnd(first.started(at(1)).endedWith(saying(''), at(2)));
      expect(await runs.open(alice, aRun({ threadId }), false)).toEqual({ outcome: 'opened' });
    });

    test('of two that ask for one thread at once, one is opened and one is busy', async () => {
      const threadId = 'contested';
      const answers = await Promise.all([1, 2, 3].map(() => runs.open(alice, aRun({ threadId }), true)));
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['busy', 'busy', 'opened']);
    });

    test('a request id has one run, however often it is asked for', async () => {
      const run = aRun();
      const again = aRun({ requestId: run.fields.requestId, threadId: 'elsewhere' });
      const answers = await Promise.all([runs.open(alice, run, true), runs.open(alice, again, true)]);
      expect(answers[0]).toEqual({ outcome: 'opened' });
      expect(answers[1]).toMatchObject({ outcome: 'known', run: { id: run.id } });
      await runs.recordEnd(run.endedWith(bareEnd('error', 'no'), at(1)));
      expect(await runs.open(alice, again, true)).toMatchObject({
        outcome: 'known',
        run: { id: run.id, status: 'error' },
      });
    });

    test("a thread that is not there, or is somebody else's, is one and the same", async () => {
      const hers = aRun();
      await runs.open(alice, hers, true);
      await runs.recordEnd(hers.endedWith(bareEnd('error', ''), at(1)));
      const his = { owner: { tenantId: 1, userId: 'bob' } };
      expect(await runs.open(bob, aRun({ ...his, threadId: 'nowhere' }), false)).toEqual({ outcome: 'no-thread' });
      expect(await runs.open(bob, aRun({ ...his, threadId: hers.fields.threadId }), true)).toEqual({
        outcome: 'no-thread',
      });
      expect(await runs.open(bob, aRun({ threadId: hers.fields.threadId }), false)).toEqual({ outcome: 'no-thread' });
    });
  });

  describe('start and end', () => {
    test('are stored with what the agent said, which becomes the next message', async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      const running = run.started(at(1));
      await runs.recordStart(running);
      expect(await runs.find(alice, run.id)).toEqual(running);
      const ended = running.endedWith(
        saying('the answer', {
          status: 'error',
          error: 'The agent failed (exit code 3).',
          exitCode: 3,
          output: { text: 'the answer', droppedBytes: 5_000_000_000 },
          errorOutput: { text: 'oh no', droppedBytes: 7 },
        }),
        at(2),
      );
      expect(await runs.recordEnd(ended)).toBe(true);
      expect(await runs.find(alice, run.id)).toEqual(ended);
      expect(await messages(run.fields.threadId)).toEqual([
        ['user', 'hello', run.id],
        ['assistant', 'the answer', run.id],
      ]);
    });

    test('a result told apart from the output is what is said; with the use and the reason of a failure', async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      const usage = { inputTokens: 10, outputTokens: null, totalTokens: 10, costUsd: 0.25 };
      const end = saying('on the way', {
        status: 'error',
        error: 'Slow down.',
        reason: 'rate_limited',
        result: 'half',
        usage,
      });
      const ended = run.started(at(1)).endedWith(end, at(2));
      await runs.recordEnd(ended);
      expect(await runs.find(alice, run.id)).toEqual(ended);
      expect((await messages(run.fields.threadId)).at(-1)).toEqual(['assistant', 'half', run.id]);
    });

    test("the agent's own name for the conversation stays with the thread and the assistant", async () => {
      const told = async (assistantId: string, agentSession: string | null, again = false): Promise<void> => {
        const run = aRun({ threadId: 'conversation', assistantId });
        await runs.open(alice, run, true);
        await runs.recordEnd(run.endedWith(saying('', { agentSession }), at(1)));
        if (again) await runs.recordEnd(run.endedWith(saying('', { agentSession: 'too late' }), at(2)));
      };
      const known = (assistantId: string, userId = 'alice') =>
        threads.agentSession({ tenantId: 1, userId }, 'conversation', assistantId);
      await told('one', 'first');
      await told('two', 'other');
      await told('one', 'second', true);
      await told('one', null);
      expect([await known('one'), await known('two'), await known('three')]).toEqual(['second', 'other', null]);
      expect(await known('one', 'bob')).toBeNull();
    });

    test('a run that is put off belongs to nobody until its moment, and then to one', async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      await runs.recordStart(run.started(at(1)));
      expect(await runs.recordRetry([run], at(40))).toBe(true);
      expect((await runs.find(alice, run.id))?.fields).toMatchObject({
        status: 'running',
        instanceId: null,
        retryAt: at(40),
        attempt: 2,
      });
      expect((await runs.heldBy('all')).map(({ id }) => id)).not.toContain(run.id);
      expect(await runs.takeRetries('elsewhere', at(39))).toEqual({ due: [], nextAt: at(40) });
      const takes = await Promise.all([runs.takeRetries('a', at(40)), runs.takeRetries('b', at(40))]);
      expect(takes.flatMap(({ due }) => due.flat().map(({ id }) => id))).toEqual([run.id]);
      expect((await runs.find(alice, run.id))?.fields).toMatchObject({ status: 'starting', retryAt: null, attempt: 2 });
      await runs.recordEnd(run.endedWith(saying('done'), at(50)));
      expect(await runs.recordRetry([run], at(60))).toBe(false);
    });

    test('what runs of one origin have used is summed, for those who may see them', async () => {
      const metadata = { scheduled_task_id: 'task-used' };
      for (const [more, inputTokens] of [
        [{ metadata: { ...metadata, other: 'x' } }, 10],
        [{ metadata }, 5],
        [{ metadata: {} }, 100],
      ] as const) {
        const run = aRun(more);
        await runs.open(alice, run, true);
        const usage = { inputTokens, outputTokens: null, totalTokens: inputTokens, costUsd: 0.5 };
        await runs.recordEnd(run.endedWith(saying('', { usage }), at(1)));
      }
      const sum = { reported: 2, inputTokens: 15, outputTokens: 0, totalTokens: 15, costUsd: 1 };
      expect(await runs.sumUsage(alice, metadata)).toEqual(sum);
      expect(await runs.sumUsage(bob, metadata)).toMatchObject({ reported: 0, totalTokens: 0 });
    });

    test('a dead process’s run is taken over by one', async () => {
      const run = aRun({ instanceId: 'dead' });
      await runs.open(alice, run, true);
      const takes = await Promise.all([runs.takeOver(run, 'a'), runs.takeOver(run, 'b')]);
      expect(takes.filter((taken) => taken !== null)).toHaveLength(1);
      expect(await runs.takeOver(run, 'c')).toBeNull();
    });

    test('the first end counts, and is told once', async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      const ends = [run.endedWith(saying('first'), at(1)), run.endedWith(saying('second'), at(2))];
      expect([await runs.recordEnd(ends[0]!), await runs.recordEnd(ends[1]!)]).toEqual([true, false]);
      expect((await runs.find(alice, run.id))?.fields.end?.output.text).toBe('first');
      expect(await messages(run.fields.threadId)).toHaveLength(2);
    });

    test('an end may be stored before its start, which then changes nothing', async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      const ended = run.started(at(1)).endedWith(saying(''), at(2));
      await runs.recordEnd(ended);
      await runs.recordStart(run.started(at(1)));
      expect(await runs.find(alice, run.id)).toEqual(ended);
      expect(await messages(run.fields.threadId)).toHaveLength(1);
    });

    test('many at once', async () => {
      const many = Array.from({ length: 50 }, () => aRun());
      const opened = await Promise.all(many.map((run) => runs.open(alice, run, true)));
      expect(opened).toEqual(many.map(() => ({ outcome: 'opened' })));
      const ended = many.map((run) => run.started(at(1)).endedWith(saying(run.id), at(2)));
      expect(await Promise.all(ended.map((run) => runs.recordEnd(run)))).toEqual(many.map(() => true));
      expect(await runs.find(alice, ended[49]!.id)).toEqual(ended[49]);
    });
  });

  test("the wish to cancel is noted once, on runs that are open and one's own", async () => {
    const run = aRun();
    await runs.open(alice, run, true);
    await runs.recordCancelRequest(bob, run.id, at(1));
    expect((await runs.find(alice, run.id))?.fields.cancelRequestedAt).toBeNull();
    await runs.recordCancelRequest(alice, run.id, at(2));
    await runs.recordCancelRequest(alice, run.id, at(3));
    expect((await runs.find(alice, run.id))?.fields.cancelRequestedAt).toEqual(at(2));
  });

  test('a run that is withdrawn leaves no trace, and its request may come again', async () => {
    const run = aRun();
    await runs.open(alice, run, true);
    await runs.withdraw(run);
    expect(await runs.find(house, run.id)).toBeNull();
    expect(await messages(run.fields.threadId)).toEqual([]);
    const { requestId, threadId } = run.fields;
    expect(await runs.open(alice, aRun({ requestId, threadId }), true)).toEqual({ outcome: 'opened' });
  });

  test('a run that has started cannot be withdrawn', async () => {
    const run = aRun();
    await runs.open(alice, run, true);
    await runs.recordStart(run.started(at(1)));
    await runs.withdraw(run);
    expect((await runs.find(alice, run.id))?.status).toBe('running');
    expect(await messages(run.fields.threadId)).toHaveLength(1);
  });

  describe('reading', () => {
    test("somebody else's runs and threads do not exist, not even in another tenant under the same name", async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      const { threadId, requestId } = run.fields;
      for (const stranger of [bob, person('alice', 2)]) {
        expect(await runs.find(stranger, run.id)).toBeNull();
        expect(await runs.byRequestIds(stranger, [requestId])).toEqual([]);
        expect(await runs.ofThread(stranger, threadId, { limit: 10, offset: 0 })).toEqual([]);
        expect(await threads.find(stranger, threadId)).toBeNull();
        expect(await threads.messages(stranger, threadId, { limit: 10, after: null })).toEqual([]);
      }
      expect((await runs.find(house, run.id))?.id).toBe(run.id);
    });

    test('by request ids: those that exist', async () => {
      const [one, two] = [aRun(), aRun()];
      await Promise.all([runs.open(alice, one, true), runs.open(alice, two, true)]);
      const found = await runs.byRequestIds(house, [one.fields.requestId, 'unknown', two.fields.requestId]);
      expect(found.map(({ id }) => id).sort()).toEqual([one.id, two.id]);
    });

    test('of a thread: newest first, in pages; the thread is as new as its newest run', async () => {
      const threadId = 'long-conversation';
      for (const second of [1, 2, 3]) {
        const run = aRun({ threadId, prompt: `turn ${second}` }, at(second));
        await runs.open(alice, run, true);
        await runs.recordEnd(run.started(at(second)).endedWith(saying('x'), at(second)));
      }
      const page = await runs.ofThread(alice, threadId, { limit: 2, offset: 1 });
      expect(page.map(({ fields }) => fields.createdAt)).toEqual([at(2), at(1)]);
      expect((await threads.find(alice, threadId))?.updatedAt).toEqual(at(3));
      const first = await threads.messages(alice, threadId, { limit: 2, after: null });
      expect(first.map(({ content }) => content)).toEqual(['turn 1', 'x']);
      const rest = await threads.messages(alice, threadId, { limit: 10, after: first[1]!.id });
      expect(rest.map(({ content }) => content)).toEqual(['turn 2', 'x', 'turn 3', 'x']);
    });

    test('of a thread: a page of long messages ends sooner, and never before the first', async () => {
      const threadId = 'long-winded';
      const run = aRun({ threadId, prompt: 'é'.repeat(MOST_PAGE_BYTES / 2) });
      await runs.open(alice, run, true);
      await runs.recordEnd(run.started(at(1)).endedWith(saying('x'.repeat(MOST_PAGE_BYTES + 1)), at(1)));
      const [said, ...more] = await threads.messages(alice, threadId, { limit: 100, after: null });
      expect([said?.role, more.length]).toEqual(['user', 0]);
      const rest = await threads.messages(alice, threadId, { limit: 100, after: said!.id });
      expect(rest.map(({ role, content }) => [role, content.length])).toEqual([['assistant', MOST_PAGE_BYTES + 1]]);
    });

    test('a true end corrects a presumed one, once; a presumed one corrects nothing', async () => {
      const run = aRun();
      await runs.open(alice, run, true);
      const presumed = { ...bareEnd('interrupted', 'its process is dead'), presumed: true };
      expect(await runs.recordEnd(run.endedWith(presumed, at(1)))).toBe(true);
      expect(await runs.recordEnd(run.endedWith(presumed, at(2)))).toBe(false);
      expect((await runs.find(alice, run.id))?.summary()).toMatchObject({ status: 'interrupted', presumed: true });
      expect(await runs.recordEnd(run.endedWith(saying('made it'), at(3)))).toBe(true);
      expect((await runs.find(alice, run.id))?.summary()).toMatchObject({ status: 'success', presumed: false });
      expect(await runs.recordEnd(run.endedWith(presumed, at(4)))).toBe(false);
      expect(await runs.recordEnd(run.endedWith(bareEnd('error', 'no'), at(5)))).toBe(false);
      expect((await runs.find(alice, run.id))?.status).toBe('success');
    });

    test('held by: open runs of these processes', async () => {
      const [dead, alive, over] = [
        aRun({ instanceId: 'dead' }),
        aRun({ instanceId: 'alive' }),
        aRun({ instanceId: 'dead' }),
      ];
      for (const run of [dead, alive, over]) await runs.open(alice, run, true);
      await runs.recordEnd(over.endedWith(bareEnd('error', ''), at(1)));
      expect((await runs.heldBy(new Set(['dead']))).map(({ id }) => id)).toEqual([dead.id]);
      const abandoned = (await runs.heldBy({ deadOr: 'nobody' })).map(({ id }) => id);
      expect(abandoned).toContain(dead.id);
      expect(abandoned).not.toContain(alive.id);
      const ours = (await runs.heldBy({ deadOr: 'alive' })).map(({ id }) => id);
      expect(ours).toEqual(expect.arrayContaining([dead.id, alive.id]));
      const all = (await runs.heldBy('all')).map(({ id }) => id);
      expect(all).toEqual(expect.arrayContaining([dead.id, alive.id]));
      expect(all).not.toContain(over.id);
    });

    test('and which of those a process holds somebody wished to end', async () => {
      const [wished, plain, over, theirs] = [
        aRun({ instanceId: 'asked' }),
        aRun({ instanceId: 'asked' }),
        aRun({ instanceId: 'asked' }),
        aRun({ instanceId: 'another' }),
      ];
      for (const run of [wished, plain, over, theirs]) await runs.open(alice, run, true);
      for (const run of [wished, over, theirs]) await runs.recordCancelRequest(alice, run.id, at(1));
      await runs.recordEnd(over.endedWith(bareEnd('interrupted', ''), at(2)));
      const asked = await runs.cancelRequested('asked');
      expect(asked.map(({ fields }) => [fields.id, fields.cancelRequestedAt])).toEqual([[wished.id, at(1)]]);
    });
  });

  test('a thread is added for its owner', async () => {
    const thread = {
      id: 'made',
      owner: { tenantId: 1, userId: 'bob' },
      title: "; ' 😀",
      createdAt: at(1),
      updatedAt: at(1),
    };
    await threads.add(bob, thread);
    expect(await threads.find(bob, 'made')).toEqual(thread);
    expect(await threads.find(alice, 'made')).toBeNull();
  });
}

describe('in memory', () => {
  const runs = new InMemoryAgentRuns();
  promises(() => ({ runs, threads: runs.threads }));
});

describe('PostgreSQL', () => {
  let db: TestDatabase;
  let runs: SqlAgentRunRepository;
  beforeAll(async () => {
    db = await testDatabase();
    runs = new SqlAgentRunRepository(db.sessions, { windowMs: 1, max: 1000, retryMs: 5 });
    await db.admin.query(`insert into tenants (id, name, created_at) values (2, 'other', now())`);
    await db.admin.query(`
      insert into instances (id, host, pid, version, started_at, heartbeat_at, stopped_at)
      values ('alive', 'h', 1, 'v', now(), now(), null), ('dead', 'h', 2, 'v', now(), now() - interval '61 s', now())`);
  });
  afterAll(() => db.close());
  promises(() => ({ runs, threads: new SqlThreadRepository(db.sessions) }));

  test('one run that cannot be stored does not take its batch with it', async () => {
    const [good, bad] = [aRun(), aRun({ prompt: 'no database stores \u0000' })];
    const [first, second] = await Promise.allSettled([runs.open(house, good, true), runs.open(house, bad, true)]);
    expect(first).toEqual({ status: 'fulfilled', value: { outcome: 'opened' } });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('Unicode') },
    });
  });

  test('two processes never both open a run on one thread, nor one request twice', async () => {
    const others = new SqlAgentRunRepository(db.sessions, { windowMs: 1, max: 1000, retryMs: 5 });
    const asked = Array.from({ length: 100 }, (_, index) => `thread-race-${index}`);
    const open = (store: SqlAgentRunRepository, order: string[], instanceId: string) =>
      Promise.all(
        order.map((threadId) =>
          store.open(alice, aRun({ threadId, requestId: `${threadId}-request`, instanceId }), true),
        ),
      );
    const [here, there] = await Promise.all([open(runs, asked, 'a'), open(others, [...asked].reverse(), 'b')]);
    const outcomes = [...here, ...there].map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'opened')).toHaveLength(100);
    expect(outcomes.filter((outcome) => outcome === 'known')).toHaveLength(100);
  });
  test('ends wait for a database that is away; what was said beyond a bound does not, and is counted as dropped', async () => {
    let calls = 0;
    const away = new Proxy(db.sessions, {
      get: (sessions, name: keyof Sessions) =>
        name === 'run' && calls++ === 0
          ? () => Promise.reject(new DatabaseUnavailableError(new Error('away')))
          : sessions[name].bind(sessions),
    });
    const options = { windowMs: 1, max: 1000, retryMs: 5, mostWaitingBytes: 3_000 };
    const patient = new SqlAgentRunRepository(away, options);
    const begun = [aRun(), aRun(), aRun()];
    for (const run of begun) await runs.open(alice, run, true);
    const ends = begun.map((run) => patient.recordEnd(run.started(at(1)).endedWith(saying('é'.repeat(1_000)), at(2))));
    expect(await Promise.all(ends)).toEqual([true, true, true]);
    const stored = await Promise.all(begun.map((run) => runs.find(alice, run.id)));
    const outputs = stored.map((run) => run?.fields.end?.output);
    const whole = { text: 'é'.repeat(1_000), droppedBytes: 0 };
    expect(outputs).toEqual([whole, whole, { text: '', droppedBytes: 2_000 }]);
    expect(stored.map((run) => run?.status)).toEqual(['success', 'success', 'success']);
  });
});
