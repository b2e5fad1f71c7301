// Domain: how Drive refuses, and what each refusal asks for. Decided on status and reason, never on the text, and never on
// 403 alone: most of them are about one file, or about being too fast.
import { DomainError } from '../../kernel/domain-error';

export type ProblemClass =
  /** The same again, later. */
  | 'retry'
  /** Too fast: the whole connection slows down. */
  | 'slow-down'
  /** A quota of the day: hours. */
  | 'retry-late'
  /** The grant is gone, or too narrow: nothing works until a person connects again. */
  | 'reconnect'
  /** Our OAuth client or our address is set up wrongly: nothing that a tenant could mend. */
  | 'configuration'
  /** This item, for good. */
  | 'item'
  /** This item, until a person has made room. */
  | 'person'
  | 'not-found'
  /** A file with our generated id is there: ours, from a call whose answer was lost. */
  | 'exists'
  | 'bad-page-token'
  | 'channel-not-unique';

/** What is known of a failed call. No URL, no header, no body: those hold tokens. */
export interface Failure {
  /** Absent: there was no answer (reset, refused, time-out). */
  readonly status?: number;
  readonly reason?: string;
  readonly location?: string;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
  /** Of the token endpoint, not of Drive. */
  readonly oauth?: boolean;
}

export class DriveProblemError extends DomainError {
  readonly kind = 'downstream';
  readonly code = 'drive-sync.drive-refused';
  readonly problem: ProblemClass;
  constructor(
    readonly failure: Failure,
    readonly call: string,
  ) {
    super(`Google Drive: ${inWords(failure)} (${call}).`);
    this.problem = classify(failure);
  }
}

const BY_REASON: Readonly<Record<string, ProblemClass>> = {
  userRateLimitExceeded: 'slow-down',
  rateLimitExceeded: 'slow-down',
  sharingRateLimitExceeded: 'retry-late',
  dailyLimitExceeded: 'retry-late',
  quotaExceeded: 'retry-late',
  insufficientPermissions: 'reconnect',
  accessNotConfigured: 'reconnect',
  domainPolicy: 'reconnect',
  storageQuotaExceeded: 'person',
  activeItemCreationLimitExceeded: 'person',
  numChildrenInNonRootLimitExceeded: 'person',
  teamDriveFileLimitExceeded: 'person',
  myDriveHierarchyDepthLimitExceeded: 'person',
  channelIdNotUnique: 'channel-not-unique',
  'push.webhookUrlNotHttps': 'configuration',
  'push.webhookUrlUnauthorized': 'configuration',
};

export function classify({ status, reason = '', location, oauth }: Failure): ProblemClass {
  if (status === undefined) return 'retry';
  if (oauth === true) return classifyOauth(status, reason);
  if (status === 408 || status === 429) return status === 429 ? 'slow-down' : 'retry';
  if (status >= 500) return 'retry';
  if (status === 401) return BY_REASON[reason] ?? 'reconnect';
  if (status === 409) return 'exists';
  if (location === 'pageToken' || status === 410) return 'bad-page-token';
  if (status === 404) return 'not-found';
  return BY_REASON[reason] ?? 'item';
}

/** The token endpoint: only invalid_grant is about the tenant. */
function classifyOauth(status: number, reason: string): ProblemClass {
  if (status >= 500 || status === 429 || status === 408) return 'retry';
  return reason === 'invalid_grant' ? 'reconnect' : 'configuration';
}

function inWords({ status, reason, message }: Failure): string {
  const what = [status === undefined ? 'no answer' : String(status), reason].filter(
    (part) => part !== undefined && part !== '',
  );
  return message === undefined ? what.join(' ') : `${what.join(' ')}: ${message.slice(0, 300)}`;
}
