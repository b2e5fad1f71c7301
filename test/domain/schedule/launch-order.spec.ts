import { launchOrder, threadOf } from '../../../src/schedule/domain/launch-order';
import { title } from '../../support/schedule-cases';
import { aRun, aTask, at, OWNER } from '../../support/schedule-builders';

const BOUND = { contextMode: 'reuse_thread', threadId: 't-1' } as const;

test(title('launch-10'), () => {
  const run = aRun({ id: 'task-run-9', trigger: 'manual', scheduledFor: at('2026-07-27T11:00:00Z') });
  expect(launchOrder(aTask({ workingFolder: '/w' }), run)).toEqual({
    requestId: 'task-run-9',
    owner: OWNER,
    threadId: 'thread-1',
    createThread: true,
    assistantId: 'sample',
    prompt: 'Say what happened last night.',
    workingFolder: '/w',
    metadata: {
      scheduled_task_id: 'task-1',
      scheduled_task_run_id: 'task-run-9',
      scheduled_trigger: 'manual',
      scheduled_for: '2026-07-27T11:00:00.000Z',
    },
  });
});

test(title('launch-09'), () => {
  const threadId = threadOf(aTask(), 'fresh-thread');
  expect(threadId).toBe('fresh-thread');
  const run = aRun({ threadId });
  expect(launchOrder(aTask(), run).threadId).toBe('fresh-thread');
  expect(run.launched({ agentRunId: 'a-1', startedAt: at('2026-07-27T12:00:01Z') }).threadId).toBe('fresh-thread');
});

test('a bound task runs on its thread, and never makes it anew', () => {
  expect(threadOf(aTask(BOUND), 'fresh-thread')).toBe('t-1');
  expect(launchOrder(aTask(BOUND), aRun()).createThread).toBe(false);
});
