// Domain. What can be wrong with a schedule as somebody wrote it. Errors about tasks and runs are in errors.ts.
import { DomainError } from '../../kernel/domain-error';

export class InvalidCronError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.invalid-cron';

  constructor(message: string) {
    super(message, { field: 'schedule_spec.cron' });
  }
}

export class InvalidTimezoneError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.invalid-timezone';

  constructor(message: string) {
    super(message, { field: 'timezone' });
  }
}

export class InvalidMomentError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.invalid-run-at';

  constructor(message: string) {
    super(message, { field: 'schedule_spec.run_at' });
  }
}

/** The parts do not make a schedule: an unknown type, a missing or unknown key, a value of the wrong sort. */
export class InvalidScheduleSpecError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.invalid-spec';

  constructor(field: string, message: string) {
    super(message, { field });
  }
}

/** A moment that is past, or so near that the house would not promise to be on time. */
export class OnceTooSoonError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'schedule.once-too-soon';

  constructor(part: 'run_at' | 'delay_seconds', message: string) {
    super(message, { field: `schedule_spec.${part}` });
  }
}
