// How long a connection lasts, with steered time.
import type { Clock } from '../../../src/kernel/clock';
import { DomainError } from '../../../src/kernel/domain-error';
import type { SignedIn } from '../../../src/platform/auth';
import { SessionLife } from '../../../src/platform/sockets/session-life';

class KeyRevoked extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.api-key-invalid';
}
class DatabaseAway extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.database-unavailable';
}

const START = new Date('2026-08-01T09:00:00Z');
const actor = { type: 'user', tenantId: 1, userId: 'alice', roles: ['user'] } as const;
const clock: Clock = { now: () => new Date() };
const until = (seconds: number | null, revocable = false): SignedIn => ({
  actor,
  revocable,
  expiresAt: seconds === null ? null : new Date(START.getTime() + seconds * 1_000),
});

function life(signedIn: SignedIn, authenticate: () => Promise<SignedIn> = () => Promise.resolve(signedIn)) {
  const said: string[] = [];
  const at = (): number => (Date.now() - START.getTime()) / 1_000;
  const session = new SessionLife(signedIn, 'credential', {
    clock,
    authenticate,
    say: (event) => said.push(`${at()} ${event}`),
    cut: () => said.push(`${at()} cut`),
  });
  session.begin();
  return { session, said };
}

const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1_000);

beforeEach(() => jest.useFakeTimers({ now: START, doNotFake: ['performance'] }));
afterEach(() => jest.useRealTimers());

it('is warned a minute before its end, told at its end, and cut five seconds later', async () => {
  const { said, session } = life(until(600));
  await seconds(599);
  expect(session.expired).toBe(false);
  await seconds(100);
  expect(said).toEqual(['540 auth:expiring', '600 auth:expired', '605 cut']);
  expect(session.expired).toBe(true);
});

it('one that begins in its last minute is warned at once', async () => {
  const { said } = life(until(3));
  await seconds(10);
  expect(said).toEqual(['0 auth:expiring', '3 auth:expired', '8 cut']);
});

it('goes on with a new token, also one that comes between the end and the cut', async () => {
  const { said, session } = life(until(3));
  await seconds(4);
  session.renew(until(100), 'new');
  expect(session.expired).toBe(false);
  await seconds(200);
  expect(said).toEqual(['0 auth:expiring', '3 auth:expired', '40 auth:expiring', '100 auth:expired', '105 cut']);
});

it('says nothing after it has ended', async () => {
  const { said, session } = life(until(3));
  session.end();
  await seconds(10);
  expect(said).toEqual(['0 auth:expiring']);
});

it('with a year to go there is no timer that rings at once', async () => {
  const { said } = life(until(365 * 86_400));
  await seconds(30 * 86_400);
  expect(said).toEqual([]);
});

it('of an API key ends within a minute of its revocation', async () => {
  let good = true;
  const { said } = life(until(null, true), () =>
    good ? Promise.resolve(until(null, true)) : Promise.reject(new KeyRevoked('gone')),
  );
  await seconds(300);
  good = false;
  await seconds(66);
  expect(said).toEqual(['360 auth:expired', '365 cut']);
});

it('of an API key outlives a database that is away', async () => {
  const { said } = life(until(null, true), () => Promise.reject(new DatabaseAway('away')));
  await seconds(600);
  expect(said).toEqual([]);
});
