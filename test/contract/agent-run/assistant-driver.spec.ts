// The contract of the port AssistantDriver, on every driver. A new one needs a stage (test/support/agents/*-stage.ts) and a
// line in STAGES.
import { LaunchFailedError } from '../../../src/agent-run/domain/errors';
import { answerOf, type RunEnd } from '../../../src/agent-run/domain/run-end';
import type { Launch } from '../../../src/agent-run/ports/assistant-driver';
import { commandStage } from '../../support/agents/command-stage';
import type { Behaviour, DriverStage } from '../../support/agents/driver-stage';
import { httpStage } from '../../support/agents/http-stage';
import { langGraphStage } from '../../support/agents/langgraph-stage';
import { pullStage } from '../../support/agents/pull-stage';

const STAGES: Readonly<Record<string, () => Promise<DriverStage>>> = {
  command: commandStage,
  http: httpStage,
  langgraph: langGraphStage,
  pull: pullStage,
};

describe.each(Object.entries(STAGES))('%s', (_, open) => {
  let stage: DriverStage;
  beforeAll(async () => {
    stage = await open();
  });
  afterAll(() => stage.close());

  const endOf = async (launch: Launch): Promise<RunEnd> => (await stage.driver.start(launch)).ended;
  const play = (behaviour: Behaviour, more?: Partial<Launch>): Promise<RunEnd> => endOf(stage.launch(behaviour, more));

  describe('start', () => {
    test('the agent is given the prompt as it is, and its answer is the end', async () => {
      const prompt = '日本 "quotes" $HOME `id` ; rm -rf /\n\t😀 end';
      const end = await play({ does: 'echo' }, { prompt });
      expect(end).toMatchObject({ status: 'success', error: null, reason: null });
      expect(answerOf(end)).toBe(prompt);
    });

    test('what it says on the way is heard, and is in the end again', async () => {
      const heard: string[] = [];
      const said: Launch['said'] = (stream, chunk) => {
        if (stream === 'output') heard.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      };
      const end = await play({ does: 'echo' }, { prompt: 'out loud', said });
      if (heard.length > 0) expect(heard.join('')).toBe(end.output.text);
      expect(answerOf(end)).toBe('out loud');
    });

    test('a failure is an error in the words of the agent', async () => {
      const end = await play({ does: 'fail', reason: 'no such branch' });
      expect(end).toMatchObject({ status: 'error', reason: null, error: expect.stringContaining('no such branch') });
    });

    test('a start that certainly failed is refused, and leaves nothing behind', async () => {
      if (!stage.plays.has('refuse')) return;
      const launch = stage.launch({ does: 'refuse' });
      await expect(stage.driver.start(launch)).rejects.toThrow(LaunchFailedError);
      expect(await stage.driver.find(launch.requestId, launch)).toEqual({ state: 'unknown' });
    });

    test('the same request is started once', async () => {
      const launch = stage.launch({ does: 'wait' });
      const first = await stage.driver.start(launch);
      expect(await stage.driver.start(launch)).toBe(first);
      await stage.driver.cancel(launch.requestId, 'enough', launch);
      expect(await first.ended).toMatchObject({ status: 'interrupted' });
    });

    test('many at once each get their own answer', async () => {
      const prompts = Array.from({ length: 10 }, (_, number) => `prompt ${number}`);
      const ends = await Promise.all(prompts.map((prompt) => play({ does: 'echo' }, { prompt })));
      expect(ends.map(answerOf)).toEqual(prompts);
    });
  });

  describe('the end', () => {
    test('tells what was used', async () => {
      if (!stage.plays.has('count')) return;
      const end = await play({ does: 'count' });
      expect(end).toMatchObject({ status: 'success', usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } });
      expect(answerOf(end)).toBe('done');
    });

    test('says when it is worth trying again', async () => {
      if (!stage.plays.has('slow-down')) return;
      const end = await play({ does: 'slow-down' });
      expect(end).toMatchObject({ status: 'error', reason: 'rate_limited' });
      expect(end.retryAt).toBeInstanceOf(Date);
    });

    test('says that the agent waits for a person: that is a failure, for nobody is there', async () => {
      if (!stage.plays.has('ask')) return;
      const end = await play({ does: 'ask' });
      expect(end).toMatchObject({ status: 'error', reason: 'input_needed' });
      expect(end.error).toContain('Which branch?');
    });

    test('comes at the latest when the time of the assistant is over', async () => {
      const launch = stage.launch({ does: 'wait' }, {}, { timeout_seconds: 1 });
      expect(await endOf(launch)).toMatchObject({
        status: 'timeout',
        error: 'The agent was ended: it did not finish within 1 s.',
      });
      expect(await stage.driver.status(launch.requestId)).not.toEqual({ state: 'running' });
    });
  });

  describe('cancel', () => {
    test('ends an agent at work; the first reason stays, and asking again, or after the end, does nothing', async () => {
      const launch = stage.launch({ does: 'wait' });
      const { ended } = await stage.driver.start(launch);
      await stage.atWork(launch);
      await stage.driver.cancel(launch.requestId, 'Cancelled by alice.', launch);
      await stage.driver.cancel(launch.requestId, 'again', launch);
      expect(await ended).toMatchObject({ status: 'interrupted', error: 'Cancelled by alice.' });
      await stage.driver.cancel(launch.requestId, 'too late', launch);
    });

    test('of a run that nobody knows does nothing', async () => {
      await stage.driver.cancel('never-heard-of', 'why not', stage.launch({ does: 'wait' }));
      await stage.driver.cancel('never-heard-of', 'why not');
    });
  });

  describe('where a run is', () => {
    test('at work it is running, here and for another process; a run that nobody started is unknown', async () => {
      const launch = stage.launch({ does: 'wait' });
      const { ended } = await stage.driver.start(launch);
      await stage.atWork(launch);
      const elsewhere = await stage.elsewhere();
      expect(await stage.driver.status(launch.requestId)).toEqual({ state: 'running' });
      expect(await elsewhere.find(launch.requestId, launch)).toEqual({ state: 'running' });
      await stage.driver.cancel(launch.requestId, 'enough', launch);
      await ended;
      expect(await stage.driver.status(launch.requestId)).not.toEqual({ state: 'running' });
      expect(await elsewhere.find(launch.requestId, launch)).not.toEqual({ state: 'running' });
      const unheard = stage.launch({ does: 'wait' });
      expect(await elsewhere.find(unheard.requestId, unheard)).toEqual({ state: 'unknown' });
    });

    test('another process ends an agent whose own process is gone', async () => {
      const launch = stage.launch({ does: 'wait' });
      const { ended } = await stage.driver.start(launch);
      await stage.atWork(launch);
      await (await stage.elsewhere()).cancel(launch.requestId, 'Its process has ended.', launch);
      expect(['interrupted', 'error']).toContain((await ended).status);
    });

    test('one that outlives the house is followed again by another process', async () => {
      const launch = stage.launch({ does: 'wait' });
      const { ended } = await stage.driver.start(launch);
      await stage.atWork(launch);
      const elsewhere = await stage.elsewhere();
      const adopted = await elsewhere.adopt(launch);
      expect(adopted !== null).toBe(stage.driver.capabilities(launch.assistant).outlivesHouse);
      await elsewhere.cancel(launch.requestId, 'enough', launch);
      await ended;
      if (adopted !== null) expect(await adopted.ended).toMatchObject({ status: 'interrupted' });
    });
  });

  describe('a conversation', () => {
    test('goes on over the runs of a thread, where the driver can, and stays with it', async () => {
      if (!stage.plays.has('remember')) return;
      const first = stage.launch({ does: 'remember' }, { prompt: 'one' });
      expect(stage.driver.capabilities(first.assistant).conversations).toBe(true);
      const { threadId } = first;
      let end = await endOf(first);
      expect(answerOf(end)).toBe('one');
      for (const [prompt, answer] of [
        ['two', 'one+two'],
        ['three', 'one+two+three'],
      ]) {
        const { agentSession } = end;
        expect(agentSession).not.toBeNull();
        end = await play({ does: 'remember' }, { threadId, prompt, agentSession });
        expect(answerOf(end)).toBe(answer);
      }
      expect(answerOf(await play({ does: 'remember' }, { prompt: 'alone' }))).toBe('alone');
    });
  });

  describe('inspect', () => {
    test('finds nothing wrong with an assistant that works, and says what is wrong with one that does not', async () => {
      const { assistant } = stage.launch({ does: 'echo' });
      expect((await stage.driver.inspect(assistant)).filter(({ fine }) => !fine)).toEqual([]);
      if (stage.broken === null) return;
      const findings = await stage.driver.inspect(stage.broken);
      expect(findings.filter(({ fine }) => !fine)).not.toEqual([]);
    });
  });
});
