// Domain: what can go wrong at the doors of the Drive connection and its queue.
import { DomainError } from '../../kernel/domain-error';

export class JobNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'drive-sync.job-not-found';
  constructor(uid: string) {
    super(`There is no Drive job ${JSON.stringify(uid.slice(0, 80))}. List the jobs to see their ids.`);
  }
}

export class JobStateError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'drive-sync.job-state';
  constructor(uid: string, status: string, wanted: string) {
    super(`Job ${uid} is ${status}: ${wanted}`);
  }
}

export class DriveNotConfiguredError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'drive-sync.not-configured';
  constructor() {
    super(
      'Google Drive is not set up on this server: the operator has to set DRIVE_OAUTH_CLIENT_ID and ' +
        'DRIVE_OAUTH_CLIENT_SECRET (docs/drive.md says how to get them).',
    );
  }
}

export class NotConnectedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'drive-sync.not-connected';
  constructor() {
    super('No Google Drive is connected. Connect one first: GET /api/1.0/integrations/google-drive/tenant/authorize.');
  }
}

/** Unknown, used before, too old, or of somebody else: never told apart. */
export class ConsentUnknownError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'drive-sync.consent-unknown';
  constructor() {
    super('This consent was not begun here, or is too old. Begin again with …/google-drive/tenant/authorize.', {
      field: 'state',
    });
  }
}

export class ConsentRefusedError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'drive-sync.consent-refused';
  constructor(reason: string) {
    super(`Google gave no access (${reason}). Begin again, and leave every box ticked.`);
  }
}
