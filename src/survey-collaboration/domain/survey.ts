// Domain. A survey: what it asks, whom it belongs to, who may fill it. Its answers are in answer.ts.
import type { Owner, UserActor } from '../../kernel/actor';
import { FieldAnsweredError, InvalidSurveyError, NotYoursToManageError } from './errors';
import type { Field } from './field';

export const SURVEY_STATUSES = ['open', 'closed'] as const;
export type SurveyStatus = (typeof SURVEY_STATUSES)[number];

/** Who may fill it, beside its owner: the members by name, or everyone of the tenant. */
export const AUDIENCES = ['members', 'tenant'] as const;
export type Audience = (typeof AUDIENCES)[number];

export const MOST_MEMBERS = 1_000;

export interface Survey {
  readonly id: string;
  readonly owner: Owner;
  readonly title: string;
  readonly description: string | null;
  readonly fields: readonly Field[];
  readonly audience: Audience;
  readonly members: readonly string[];
  readonly status: SurveyStatus;
  /** Grows with each change of an answer or of the survey: a client that meets a gap has missed something. */
  readonly rev: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type SurveyEdit = Partial<Pick<Survey, 'title' | 'description' | 'fields' | 'audience' | 'members' | 'status'>>;

type Person = Pick<UserActor, 'tenantId' | 'userId' | 'roles'>;

export function mayManage({ owner }: Pick<Survey, 'owner'>, { tenantId, userId, roles }: Person): boolean {
  if (owner.tenantId !== tenantId) return false;
  return owner.userId === userId || roles.includes('manager') || roles.includes('operator');
}

export function mayFill(survey: Pick<Survey, 'owner' | 'audience' | 'members'>, person: Person): boolean {
  if (survey.owner.tenantId !== person.tenantId) return false;
  return survey.audience === 'tenant' || survey.members.includes(person.userId) || mayManage(survey, person);
}

/** @throws NotYoursToManageError */
export function requireManagement(survey: Survey, person: Person, what: string): void {
  if (!mayManage(survey, person)) throw new NotYoursToManageError(what);
}

/** Each once, in the order given. @throws InvalidSurveyError */
export function membersOf(userIds: readonly string[]): string[] {
  const members = [...new Set(userIds)];
  if (members.length > MOST_MEMBERS) {
    throw new InvalidSurveyError('members', `A survey has at most ${MOST_MEMBERS} members; open it to the tenant.`);
  }
  const wrong = members.find((id) => id.trim() === '' || id.length > 255 || /[\p{Cc}\p{Surrogate}]/u.test(id));
  if (wrong !== undefined) throw new InvalidSurveyError('members', 'A member is a user id of 1 to 255 characters.');
  return members;
}

/** @param answered keys of the fields that have been answered at any time */
export function edited(survey: Survey, edit: SurveyEdit, answered: ReadonlySet<string>, now: Date): Survey {
  if (edit.fields !== undefined) {
    const next = new Map(edit.fields.map((field) => [field.key, field.type]));
    const bent = survey.fields.filter(({ key, type }) => answered.has(key) && next.get(key) !== type);
    if (bent.length > 0) throw new FieldAnsweredError(bent.map(({ key }) => key));
  }
  return { ...survey, ...edit, rev: survey.rev + 1, updatedAt: now };
}

/** Those who could fill the survey before, and cannot any more. */
export function shutOut(before: Survey, after: Survey, userIds: readonly string[]): string[] {
  const seenAs = (userId: string): Person => ({ tenantId: before.owner.tenantId, userId, roles: [] });
  return userIds.filter((id) => mayFill(before, seenAs(id)) && !mayFill(after, seenAs(id)));
}

/** Required fields that nobody has answered. */
export function openQuestions(survey: Survey, answered: readonly { fieldKey: string; value: unknown }[]): string[] {
  const given = new Set(answered.filter(({ value }) => value !== null).map(({ fieldKey }) => fieldKey));
  return survey.fields.filter(({ key, required }) => required && !given.has(key)).map(({ key }) => key);
}
