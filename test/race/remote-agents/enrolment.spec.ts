import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SqlEnrollmentTokens } from '../../../src/remote-agent/outbound/sql-enrollment-tokens';
import { testDatabase, type TestDatabase } from '../../support/database';

const NOW = new Date('2026-12-01T12:00:00Z');
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ poolSize: 12 });
});
afterAll(() => database.close());

test.each([1, 7])(
  'of 60 machines that race for a token of %i uses, so many are let in, and only they again',
  async (uses) => {
    const tokens = new SqlEnrollmentTokens(database.sessions);
    const tokenHash = createHash('sha256').update(randomBytes(24)).digest();
    const token = {
      id: randomUUID(),
      tenantId: 1,
      createdBy: 'olga',
      createdAt: NOW,
      expiresAt: new Date(NOW.getTime() + 3_600_000),
      maxUses: uses,
      uses: 0,
      agentId: null,
      labels: [],
    };
    await tokens.add({ type: 'user', tenantId: 1, userId: 'olga', roles: ['operator'] }, token, tokenHash);
    const claim = (racer: number) => {
      const keyFingerprint = createHash('sha256').update(`${token.id} ${racer}`).digest('hex');
      return tokens.claim({ tokenHash, keyFingerprint, agentId: randomUUID(), name: `m${racer}`, version: '' }, NOW);
    };
    const racers = Array.from({ length: 60 }, (_, racer) => racer);
    const first = await Promise.all(racers.map(claim));
    expect(first.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(uses);
    expect(first.filter(({ outcome }) => outcome === 'used')).toHaveLength(60 - uses);
    // An answer that got lost is asked for again, by many at once.
    expect(await Promise.all(racers.map(claim))).toEqual(first);
    const { rows } = await database.admin.query('select count(*)::integer as agents from compliance.agents');
    expect(rows[0]).toEqual({ agents: uses === 1 ? 1 : 8 });
  },
);
