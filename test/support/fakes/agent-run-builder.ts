// Test support. Agent runs for tests that care for one or two of their fields.
import type { UserActor } from '../../../src/kernel/actor';
import { AgentRun, type NewAgentRun } from '../../../src/agent-run/domain/agent-run';
import { bareEnd, type RunEnd } from '../../../src/agent-run/domain/run-end';

export const at = (second: number): Date => new Date(Date.UTC(2026, 11, 1, 8, 0, second));

export const person = (userId: string, tenantId = 1): UserActor => ({
  type: 'user',
  tenantId,
  userId,
  roles: ['user'],
});
export const alice = person('alice');
export const bob = person('bob');

let built = 0;

export function aRun(more: Partial<NewAgentRun> = {}, createdAt = at(0)): AgentRun {
  built += 1;
  const number = String(built).padStart(6, '0');
  const fields: NewAgentRun = {
    id: `run-${number}`,
    requestId: `request-${number}`,
    owner: { tenantId: 1, userId: 'alice' },
    threadId: `thread-${number}`,
    assistantId: 'default',
    prompt: 'hello',
    metadata: {},
    workingFolder: null,
    instanceId: 'here',
    ...more,
  };
  return AgentRun.open(fields, createdAt);
}

export function saying(text: string, more: Partial<RunEnd> = {}): RunEnd {
  return bareEnd('success', null, { exitCode: 0, output: { text, droppedBytes: 0 }, ...more });
}
