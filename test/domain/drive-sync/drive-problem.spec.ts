// How Drive refuses: decided on status and reason, cell by cell.
import {
  classify,
  DriveProblemError,
  type Failure,
  type ProblemClass,
} from '../../../src/drive-sync/domain/drive-problem';
import { DriveNotConfiguredError } from '../../../src/drive-sync/domain/errors';
import { backOff, connectionVerdict, slowFor, verdictOn } from '../../../src/drive-sync/domain/retry';

const CELLS: readonly (readonly [Failure, ProblemClass])[] = [
  [{}, 'retry'],
  [{ status: 408 }, 'retry'],
  [{ status: 429, reason: 'rateLimitExceeded' }, 'slow-down'],
  [{ status: 500, reason: 'backendError' }, 'retry'],
  [{ status: 502 }, 'retry'],
  [{ status: 503 }, 'retry'],
  [{ status: 403, reason: 'userRateLimitExceeded' }, 'slow-down'],
  [{ status: 403, reason: 'rateLimitExceeded' }, 'slow-down'],
  [{ status: 403, reason: 'sharingRateLimitExceeded' }, 'retry-late'],
  [{ status: 403, reason: 'dailyLimitExceeded' }, 'retry-late'],
  [{ status: 403, reason: 'insufficientPermissions' }, 'reconnect'],
  [{ status: 403, reason: 'domainPolicy' }, 'reconnect'],
  [{ status: 403, reason: 'insufficientFilePermissions' }, 'item'],
  [{ status: 403, reason: 'exportSizeLimitExceeded' }, 'item'],
  [{ status: 403, reason: 'storageQuotaExceeded' }, 'person'],
  // Not "access to the whole drive is lost".
  [{ status: 403, reason: 'somethingNew' }, 'item'],
  [{ status: 403 }, 'item'],
  [{ status: 401, reason: 'authError' }, 'reconnect'],
  [{ status: 404, reason: 'notFound' }, 'not-found'],
  [{ status: 409, reason: 'fileIdInUse' }, 'exists'],
  [{ status: 400, reason: 'invalid', location: 'pageToken' }, 'bad-page-token'],
  [{ status: 410 }, 'bad-page-token'],
  [{ status: 400, reason: 'invalid' }, 'item'],
  [{ status: 400, reason: 'channelIdNotUnique' }, 'channel-not-unique'],
  [{ status: 401, reason: 'push.webhookUrlUnauthorized' }, 'configuration'],
  [{ status: 400, reason: 'push.webhookUrlNotHttps' }, 'configuration'],
  [{ status: 400, reason: 'invalid_grant', oauth: true }, 'reconnect'],
  [{ status: 401, reason: 'invalid_client', oauth: true }, 'configuration'],
  [{ status: 503, reason: 'internal_failure', oauth: true }, 'retry'],
  [{ status: 429, oauth: true }, 'retry'],
];

test.each(CELLS)('%j is %s', (failure, expected) => {
  expect(classify(failure)).toBe(expected);
});

const now = new Date('2027-01-01T00:00:00Z');
const tries = { retryCount: 0, maxRetries: 8 };
const problem = (failure: Failure): DriveProblemError => new DriveProblemError(failure, 'files.get');

describe('what becomes of the job', () => {
  it.each([
    ['no answer', {}, 'again'],
    ['a rate limit', { status: 403, reason: 'userRateLimitExceeded' }, 'again'],
    ['a dead grant', { status: 400, reason: 'invalid_grant', oauth: true }, 'parked'],
    ['an unknown 403', { status: 403, reason: 'new' }, 'failed'],
    ['a full drive', { status: 403, reason: 'storageQuotaExceeded' }, 'failed'],
  ] as const)('%s', (_, failure, type) => {
    expect(verdictOn(problem(failure), tries, now, 0).type).toBe(type);
  });

  it('is over when its tries are', () => {
    expect(verdictOn(problem({ status: 500 }), { retryCount: 8, maxRetries: 8 }, now, 0).type).toBe('failed');
  });

  it('honours Retry-After, and waits longer each time, the upper half of it by chance', () => {
    const asked = verdictOn(problem({ status: 503, retryAfterSeconds: 120 }), tries, now, 0);
    expect(asked).toEqual({ type: 'again', at: new Date(now.getTime() + 120_000) });
    expect([0, 1, 2].map((count) => backOff(count, 1))).toEqual([2_000, 4_000, 8_000]);
    expect(backOff(3, 0)).toBe(8_000);
    expect(backOff(60, 1)).toBe(900_000);
  });

  it('waits hours for a quota of the day', () => {
    const verdict = verdictOn(problem({ status: 403, reason: 'dailyLimitExceeded' }), tries, now, 0);
    expect(verdict).toEqual({ type: 'again', at: new Date(now.getTime() + 3_600_000) });
  });
});

test('only a rate limit, a grant or our own set-up says something of the whole connection', () => {
  expect(connectionVerdict(problem({ status: 429 }))).toBe('slow-down');
  expect(connectionVerdict(problem({ status: 400, reason: 'invalid_grant', oauth: true }))).toBe('reconnect');
  expect(connectionVerdict(problem({ status: 401, reason: 'invalid_client', oauth: true }))).toBe('configuration');
  expect(connectionVerdict(problem({ status: 403, reason: 'insufficientFilePermissions' }))).toBe('fine');
  expect(connectionVerdict(new Error('ours'))).toBe('fine');
  expect(connectionVerdict(new DriveNotConfiguredError())).toBe('configuration');
  expect([1, 2, 9].map((steps) => slowFor(steps, undefined))).toEqual([2_000, 4_000, 60_000]);
  expect(slowFor(1, 30)).toBe(30_000);
});
