import { lostWithItsProcess, neverHeardOf, outcomeOf } from '../../../src/schedule/domain/outcome';
import { title } from '../../support/schedule-cases';

test.each([
  ['success', 'success', null],
  ['error', 'failed', 'agent_failed'],
  ['timeout', 'failed', 'agent_timeout'],
  ['interrupted', 'interrupted', 'interrupted'],
])('an agent run in %s is an outcome: %s', (agentStatus, status, reason) => {
  expect(outcomeOf(agentStatus, 'boom')).toEqual({
    status,
    reason,
    error: status === 'success' ? null : 'boom',
    presumed: false,
  });
});

test.each(['queued', 'starting', 'running', 'pending', 'skipped', '', 'Success'])(
  'an agent run in "%s" has not ended',
  (agentStatus) => expect(outcomeOf(agentStatus, null)).toBeNull(),
);

test(title('completion-status-09'), () => expect(outcomeOf('success', 'stale text')?.error).toBeNull());

test(title('completion-status-10'), () => {
  for (const nothing of [null, '', ' \n']) {
    expect(outcomeOf('interrupted', nothing)?.error).toBe('The agent run was interrupted before it ended.');
  }
});

test('a failure without a word gets one, and one with words keeps them, made storable', () => {
  expect(outcomeOf('error', null)?.error).toMatch(/without saying why/);
  expect(outcomeOf('timeout', '')?.error).toMatch(/longer than/);
  expect(outcomeOf('error', 'bo\0om')?.error).toBe('bo\u{fffd}om');
});

test('an end that nobody saw is presumed, and says what is presumed', () => {
  expect(lostWithItsProcess()).toMatchObject({ status: 'interrupted', reason: 'process_lost', presumed: true });
  expect(neverHeardOf(900)).toMatchObject({ status: 'failed', reason: 'launch_unknown', presumed: true });
  expect(neverHeardOf(900).error).toContain('900 s');
});
