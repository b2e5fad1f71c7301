// Test support. A survey with a field of each type, people, and answers to it.
import type { UserActor } from '../../../src/kernel/actor';
import { surveyFields } from '../../../src/survey-collaboration/domain/field';
import type { Survey } from '../../../src/survey-collaboration/domain/survey';
import type { AnswerWrite } from '../../../src/survey-collaboration/domain/write';

export const NOON = new Date('2027-03-01T12:00:00Z');
export const later = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1_000);

export const person = (userId: string, more: Partial<UserActor> = {}): UserActor => ({
  type: 'user',
  tenantId: 1,
  userId,
  roles: ['user'],
  ...more,
});

export const alice = person('alice');
export const bob = person('bob');
export const carol = person('carol');
export const manager = person('maria', { roles: ['manager'] });
export const stranger = person('alice', { tenantId: 2, roles: ['manager'] });

export const FIELDS = [
  { key: 'name', label: 'What is it called?', type: 'text', required: true, max_length: 100 },
  { key: 'budget', label: 'What may it cost?', type: 'number', min: 0, max: 1_000_000 },
  { key: 'colour', label: 'Which colour?', type: 'choice', options: ['red', 'green'] },
  { key: 'launch_day', label: 'When do we launch?', type: 'date', required: true },
  { key: 'contract', label: 'The contract', type: 'file' },
] as const;

let made = 0;

/** Alice's, which Bob may fill. */
export function aSurvey(more: Partial<Survey> = {}): Survey {
  made += 1;
  return {
    id: `survey-${made.toString().padStart(8, '0')}`,
    owner: { tenantId: 1, userId: 'alice' },
    title: 'Launch questions',
    description: null,
    fields: surveyFields(
      FIELDS.map((field) => ({ ...field, maxLength: 'max_length' in field ? field.max_length : undefined })),
    ),
    audience: 'members',
    members: ['bob'],
    status: 'open',
    rev: 0,
    createdAt: later(made),
    updatedAt: later(made),
    ...more,
  };
}

export function aWrite(surveyId: string, more: Partial<AnswerWrite> = {}): AnswerWrite {
  return { actor: bob, surveyId, fieldKey: 'name', value: 'Horarium', baseVersion: 0, opId: null, lock: null, ...more };
}
