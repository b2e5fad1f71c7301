// Test support. Facts as other features tell them, and people.
import type { UserActor } from '../../../src/kernel/actor';
import { type Fact, said, type Said } from '../../../src/notifications/domain/fact';

export const NOON = new Date('2027-03-01T12:00:00Z');
export const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1_000);

export const person = (userId: string, tenantId = 1): UserActor => ({
  type: 'user',
  tenantId,
  userId,
  roles: ['user'],
});
export const alice = person('alice');
export const bob = person('bob');
export const elsewhere = person('alice', 2);

let last = 0;

export function aFact(type: string, payload: Record<string, unknown> = {}, tenantId = 1): Fact {
  return { id: String((last += 1)), tenantId, type, payload, occurredAt: NOON };
}

export function told(type: string, payload: Record<string, unknown> = {}, tenantId = 1): Said {
  return said(aFact(type, payload, tenantId))!;
}

export const failed = (task: string, user = 'alice', tenantId = 1): Said =>
  told('run.failed', { task_id: task, task_title: task, user_id: user, error: 'no' }, tenantId);
