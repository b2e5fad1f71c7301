import { AgentRun, type AgentRunStatus } from '../../../src/agent-run/domain/agent-run';
import { prompt } from '../../../src/agent-run/domain/prompt';
import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { threadId } from '../../../src/agent-run/domain/thread';

const at = (minute: number): Date => new Date(Date.UTC(2026, 11, 1, 8, minute));
const opened = AgentRun.open(
  {
    id: 'run',
    requestId: 'request',
    owner: { tenantId: 1, userId: 'alice' },
    threadId: 'thread',
    assistantId: 'default',
    prompt: 'hello',
    metadata: {},
    workingFolder: null,
    instanceId: 'here',
  },
  at(0),
);

test('a run that is opened is about to start, and holds its thread before anything outside happens', () => {
  expect(opened.status).toBe('starting');
  expect(opened.summary()).toMatchObject({ startedAt: null, finishedAt: null, error: null });
});

test('started, then ended: the moments and the reason are kept', () => {
  const ended = opened.started(at(1)).endedWith(bareEnd('timeout', 'too slow'), at(2));
  expect(ended.summary()).toEqual({
    id: 'run',
    requestId: 'request',
    threadId: 'thread',
    status: 'timeout',
    error: 'too slow',
    startedAt: at(1),
    finishedAt: at(2),
    presumed: false,
  });
});

test('a run may end without ever having started', () => {
  expect(opened.endedWith(bareEnd('interrupted', 'cancelled'), at(1)).summary().startedAt).toBeNull();
});

test('asked twice to cancel, the first moment counts', () => {
  expect(opened.cancelRequested(at(1)).cancelRequested(at(2)).fields.cancelRequestedAt).toEqual(at(1));
});

test.each<AgentRunStatus>(['success', 'error', 'timeout', 'interrupted'])('%s is final', (status) => {
  const ended = AgentRun.restore({ ...opened.fields, status });
  expect(ended.ended).toBe(true);
  for (const step of [
    () => ended.started(at(1)),
    () => ended.endedWith(bareEnd('success', ''), at(1)),
    () => ended.cancelRequested(at(1)),
  ]) {
    expect(step).toThrow(`Agent run run has already ended (${status}).`);
  }
});

test.each(['queued', 'starting', 'running'] as const)('%s is not', (status) => {
  expect(AgentRun.restore({ ...opened.fields, status }).ended).toBe(false);
});

describe('a thread id, which becomes the name of a folder', () => {
  test.each(['a', 'A-b_9', 'x'.repeat(64)])('%s', (id) => expect(threadId(id)).toBe(id));
  test.each(['', '.', '..', 'a/b', 'a b', 'ä', 'x'.repeat(65), 'a\n'])('not %j', (id) => {
    expect(() => threadId(id)).toThrow('thread_id must be');
  });
});

describe('a prompt', () => {
  test.each(['a', '😀', "'; drop table threads; --", '<script>', '  a  '])('%j stays as it is', (text) => {
    expect(prompt(text)).toBe(text);
  });
  test.each(['', ' \n', 'a\0b', '\ud800', 'x\udc00'])('not %j', (text) => {
    expect(() => prompt(text)).toThrow(expect.objectContaining({ kind: 'invalid', field: 'prompt' }));
  });
});
