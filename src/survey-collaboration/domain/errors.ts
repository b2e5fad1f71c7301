// Domain. Everything a survey refuses, with the reason in the words of the person who asked.
import { DomainError } from '../../kernel/domain-error';
import type { Answer } from './answer';
import type { LockHolder } from './lock';

export class InvalidSurveyError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'survey-collaboration.invalid-survey';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

/** Also of somebody else's: the two are never told apart. */
export class SurveyNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'survey-collaboration.survey-not-found';
  constructor(surveyId: string) {
    super(`There is no survey ${surveyId}.`, { field: 'survey_id' });
  }
}

export class FieldNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'survey-collaboration.field-not-found';
  constructor(fieldKey: string) {
    super(`This survey has no field "${fieldKey}".`, { field: 'field_key' });
  }
}

/** They may fill the survey, and see this: no secret is kept by saying that it is not theirs to change. */
export class NotYoursToManageError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'survey-collaboration.not-yours-to-manage';
  constructor(what: string) {
    super(`Only the owner of the survey or a manager may ${what}.`);
  }
}

export class SurveyClosedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'survey-collaboration.survey-closed';
  constructor() {
    super('This survey is closed: its answers can be read, and no longer changed.');
  }
}

/** A field that has been answered can be neither removed nor turned into another type. */
export class FieldAnsweredError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'survey-collaboration.field-answered';
  constructor(keys: readonly string[]) {
    super(`Already answered, so it cannot be removed or get another type: ${keys.join(', ')}.`, { field: 'fields' });
  }
}

export class InvalidAnswerError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'survey-collaboration.invalid-answer';
  constructor(message: string, field = 'value') {
    super(message, { field });
  }
}

/** Somebody else is at it. */
export class FieldLockedError extends DomainError {
  readonly kind = 'busy';
  readonly code = 'survey-collaboration.locked';
  constructor(
    readonly holder: LockHolder,
    readonly expiresAt: Date,
  ) {
    super(`${holder.userId} is editing this field.`, { field: 'field_key' });
  }
}

/** The lock has run out, was taken away, or is somebody else's by now. */
export class LockLostError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'survey-collaboration.lock-lost';
  constructor(readonly holder: LockHolder | null) {
    super(
      holder === null
        ? 'You do not hold the lock of this field any more: take it again.'
        : `You do not hold the lock of this field any more; ${holder.userId} does.`,
      { field: 'fence' },
    );
  }
}

/** Written since it was read. `current` is null when nobody has answered yet. */
export class AnswerConflictError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'survey-collaboration.conflict';
  constructor(readonly current: Answer | null) {
    super(
      current === null
        ? 'Nobody has answered this field yet: its version is 0.'
        : `This field was changed by ${current.userId} in the meantime; it is at version ${current.version}.`,
      { field: 'base_version' },
    );
  }
}

/** An operation id says "the same again": it cannot stand for two different changes. */
export class OperationIdTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'survey-collaboration.op-id-taken';
  constructor() {
    super('This op_id was used for another change: make a new one for each.', { field: 'op_id' });
  }
}

/** Without it a page that reconnects could not go on with what it holds. */
export class SessionNeededError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'survey-collaboration.session-needed';
  constructor() {
    super(
      'Connect with auth.session: 8 to 64 letters, digits, "-" or "_", new for each page, kept over reconnections.',
      {
        field: 'session',
      },
    );
  }
}

export class DraftsTooFastError extends DomainError {
  readonly kind = 'exhausted';
  readonly code = 'survey-collaboration.drafts-too-fast';
  constructor() {
    super('At most five drafts a second.');
  }
}
