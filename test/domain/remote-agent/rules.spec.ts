import { agentLabels, agentName } from '../../../src/remote-agent/domain/agent';
import { Attempts } from '../../../src/remote-agent/domain/attempts';
import {
  type AgentCertificate,
  isRecoverable,
  isSuperseded,
  renewAfter,
  validityFrom,
} from '../../../src/remote-agent/domain/certificate';
import { nextHeartbeatSeconds, reconnectSpreadSeconds } from '../../../src/remote-agent/domain/heartbeat';
import { identityUri, parseIdentity } from '../../../src/remote-agent/domain/identity';

const NOW = new Date('2026-11-30T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const WEEK = { lifeSeconds: 604_800, recoverySeconds: 1_209_600 };

describe('a certificate', () => {
  it('is renewed at half of its life, give or take a tenth, as its serial has it', () => {
    const { notAfter } = validityFrom(NOW, WEEK);
    const instants = ['00000000', '80000000', 'ffffffff'].map((end) =>
      renewAfter({ serial: `40${end}`, issuedAt: NOW, notAfter }),
    );
    expect(instants[0]).toEqual(at(302_400 * 0.9));
    expect(instants[2]).toEqual(at(302_400 * 1.1));
    expect(instants[1]!.getTime() / 1_000).toBeCloseTo(at(302_400).getTime() / 1_000, -1);
  });

  it('proves its agent for the time of recovery, and not a second longer', () => {
    const one = { notAfter: NOW };
    expect(isRecoverable(one, WEEK, at(WEEK.recoverySeconds))).toBe(true);
    expect(isRecoverable(one, WEEK, at(WEEK.recoverySeconds + 1))).toBe(false);
  });

  const certificate = (serial: string, issued: number, used: number | null): AgentCertificate => ({
    serial,
    agentId: 'a',
    tenantId: 1,
    keyFingerprint: serial,
    issuedAt: at(issued),
    notBefore: at(issued),
    notAfter: at(issued + 1_000),
    firstUsedAt: used === null ? null : at(used),
    revokedAt: null,
  });

  it.each([
    ['the only one', certificate('1', 0, 0), [], false],
    ['a newer one was issued, and its answer lost', certificate('1', 0, 0), [certificate('2', 10, null)], false],
    ['a newer one is in use', certificate('1', 0, 0), [certificate('2', 10, 11)], true],
    ['an older one is in use', certificate('2', 10, 11), [certificate('1', 0, 0)], false],
    ['never used itself, and the older one was', certificate('2', 10, null), [certificate('1', 0, 0)], false],
    ['never used itself, and a newer one is', certificate('2', 10, null), [certificate('3', 20, 21)], true],
  ])('may renew or not: %s', (_, one, others, superseded) => {
    expect(isSuperseded(one, [one, ...others])).toBe(superseded);
  });
});

it('an identity is read as it was written, and in no other spelling', () => {
  const identity = { tenantId: 7, agentId: '0192f0c4-5f6e-7c1e-8a5b-0d6f2e4c9b71' };
  expect(parseIdentity(identityUri(identity))).toEqual(identity);
  for (const wrong of [
    'spiffe://other/tenant/7/agent/0192f0c4-5f6e-7c1e-8a5b-0d6f2e4c9b71',
    'spiffe://horarium/tenant/07/agent/0192f0c4-5f6e-7c1e-8a5b-0d6f2e4c9b71',
    'spiffe://horarium/tenant/7/agent/0192f0c4-5f6e-7c1e-8a5b-0d6f2e4c9b71/more',
    'spiffe://horarium/tenant/7/agent/0192F0C4-5f6e-7c1e-8a5b-0d6f2e4c9b71',
    '',
  ]) {
    expect(parseIdentity(wrong)).toBeUndefined();
  }
});

describe('heartbeats', () => {
  const policy = { intervalSeconds: 30, offlineThresholdSeconds: 120 };

  it('are told to come after the interval, give or take a tenth', () => {
    expect([0, 0.5, 1].map((chance) => nextHeartbeatSeconds(policy, chance))).toEqual([27, 30, 33]);
  });

  it('are spread wider when there are many', () => {
    expect([0, 9_000, 100_000].map((agents) => reconnectSpreadSeconds(policy, agents))).toEqual([30, 30, 334]);
  });
});

describe('attempts', () => {
  it('run out, and come back evenly', () => {
    const attempts = new Attempts({ burst: 3, perMinute: 2 });
    for (let tries = 0; tries < 3; tries++) attempts.failed('a', NOW);
    expect([attempts.allowed('a', NOW), attempts.allowed('b', NOW)]).toEqual([false, true]);
    expect([attempts.allowed('a', at(29)), attempts.allowed('a', at(30))]).toEqual([false, true]);
    attempts.failed('a', at(30));
    expect(attempts.allowed('a', at(31))).toBe(false);
  });

  it('of many strangers do not fill the memory', () => {
    const attempts = new Attempts({ burst: 3, perMinute: 2 });
    for (let stranger = 0; stranger < 20_000; stranger++) attempts.failed(String(stranger), NOW);
    const kept = (attempts as unknown as { buckets: Map<string, unknown> }).buckets.size;
    expect(kept).toBeLessThanOrEqual(10_000);
  });
});

it('names and labels are words that can be read and typed', () => {
  expect(agentName('  build 7 ')).toBe('build 7');
  expect(() => agentName('a\nb')).toThrow('one line');
  expect(agentLabels(['b', 'a', 'b', 'site:lisbon/1'])).toEqual(['a', 'b', 'site:lisbon/1']);
  for (const wrong of ['', 'A', '-a', 'a-', 'a b', 'ä', 'x'.repeat(65)])
    expect(() => agentLabels([wrong])).toThrow('labels');
});
