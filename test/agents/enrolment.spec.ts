import { createHash } from 'node:crypto';
import { type AgentHouse, agentHouse } from '../support/agents/agent-house';
import type { KeyKind } from '../support/agents/openssl';

const ENROLL = '/api/1.0/remote-agents/enroll';
let house: AgentHouse;

beforeAll(async () => {
  house = await agentHouse();
});
afterAll(() => house.close());

const csr = (...args: Parameters<AgentHouse['folder']['csr']>) => house.folder.csr(...args);
const enroll = (body: object) => house.operator.post(ENROLL, { name: 'machine', ...body });

describe('a token', () => {
  it('lets one machine in, which is heard of and shown', async () => {
    const token = await house.token({ labels: ['linux', 'site:lisbon'] });
    expect(token).toMatch(/^hzt_[A-Za-z0-9_-]{32}$/);
    const agent = await house.enrol({ token, name: 'build-7' });
    expect(agent.answer).toMatchObject({
      agent_url: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      heartbeat_url: expect.stringMatching(/\/agent\/v1\/heartbeat$/),
      heartbeat_interval_sec: 30,
      ca_bundle: expect.stringMatching(/BEGIN CERTIFICATE/),
    });
    const beat = await house.heartbeat(agent, { body: { time: '2026-11-30T00:00:00.000Z' } });
    expect(beat.status).toBe(200);
    expect(beat.body).toMatchObject({ renew: false, reconnect_spread_sec: 30 });
    expect(beat.body.next_heartbeat_sec).toBeGreaterThanOrEqual(27);
    expect(beat.body.next_heartbeat_sec).toBeLessThanOrEqual(33);
    await house.app.ticker.ticked('agent-heartbeats');
    const { body } = await house.operator.get(`/api/1.0/remote-agents/${agent.id}`).expect(200);
    expect(body).toMatchObject({ name: 'build-7', labels: ['linux', 'site:lisbon'], is_online: true });
    expect(body.last_seen_at).not.toBeNull();
    expect(body.clock_skew_ms).not.toBeNull();
    const { rows } = await house.app.database.admin.query(
      'select last_seen_at from compliance.remote_agents where id = $1',
      [agent.id],
    );
    expect(rows).toEqual([{ last_seen_at: expect.any(Date) }]);
  });

  it('is never stored, listed without its secret, and can be withdrawn', async () => {
    const { body } = await house.operator.post('/api/1.0/remote-agents/enrollment-tokens', {}).expect(201);
    const listed = await house.operator.get('/api/1.0/remote-agents/enrollment-tokens').expect(200);
    expect(listed.text).toContain(body.id);
    expect(listed.text).not.toContain(body.token);
    const { rows } = await house.app.database.admin.query<{ text: string }>(
      'select t::text as text from compliance.enrollment_tokens t',
    );
    expect(rows.map(({ text }) => text).join()).not.toContain((body.token as string).slice(4));
    expect(house.app.log.join()).not.toContain(body.token);
    await house.operator.delete(`/api/1.0/remote-agents/enrollment-tokens/${body.id}`).expect(200);
    const refused = await enroll({ token: body.token, csr: csr(house.folder.key()) }).expect(403);
    expect(refused.body.code).toBe('remote-agent.token-invalid');
    await house.operator.delete(`/api/1.0/remote-agents/enrollment-tokens/${body.id}`).expect(404);
  });

  it('answers the same key again, and refuses another', async () => {
    const token = await house.token();
    const keyFile = house.folder.key();
    const [first, again] = [await house.enrol({ token, keyFile }), await house.enrol({ token, keyFile })];
    expect(again.id).toBe(first.id);
    expect(again.certificate).not.toBe(first.certificate);
    expect((await house.heartbeat(again)).status).toBe(200);
    const other = await enroll({ token, csr: csr(house.folder.key()) }).expect(409);
    expect(other.body.code).toBe('remote-agent.token-used');
  });

  it('has one winner of many at once, and as many as it has uses', async () => {
    for (const uses of [1, 3]) {
      const token = await house.token({ max_uses: uses });
      const requests = Array.from({ length: 8 }, () => csr(house.folder.key()));
      const answers = await Promise.all(requests.map((request) => enroll({ token, csr: request })));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(uses);
    }
  });

  it('is for its tenant, its people with the right, and reasonable wishes', async () => {
    const path = '/api/1.0/remote-agents/enrollment-tokens';
    await (await house.app.as('una')).post(path, {}).expect(403);
    await (await house.app.as('mia', { roles: ['manager'] })).post(path, {}).expect(201);
    for (const [wrong, field] of [
      [{ ttl_sec: 59 }, 'ttl_sec'],
      [{ max_uses: 0 }, 'max_uses'],
      [{ labels: ['Nö'] }, 'labels'],
      [{ labels: 'linux' }, 'labels'],
      [{ tenant_id: 2 }, 'tenant_id'],
    ] as const) {
      const { body } = await house.operator.post(path, wrong).expect(422);
      expect(body.errors?.[0]?.field ?? body.field).toBe(field);
    }
    const tenant = await house.app.tenant('other');
    const stranger = await house.app.as('otto', { tenantId: tenant, roles: ['operator'] });
    const agent = await house.enrol();
    await stranger.get(`/api/1.0/remote-agents/${agent.id}`).expect(404);
    await stranger.post(path, { agent_id: agent.id }).expect(404);
    expect((await stranger.get(path).expect(200)).body).toEqual([]);
    expect((await stranger.get('/api/1.0/remote-agents').expect(200)).body).toEqual([]);
    await stranger.delete(`/api/1.0/remote-agents/${agent.id}`).expect(404);
    expect((await house.heartbeat(agent)).status).toBe(200);
  });
});

describe('of a request', () => {
  it.each(['p384', 'ed25519', 'rsa2048'] satisfies KeyKind[])('a key of %s is taken', async (kind) => {
    expect((await house.heartbeat(await house.enrol({ kind }))).status).toBe(200);
  });

  it.each(['rsa1024', 'secp256k1'] satisfies KeyKind[])('a key of %s is refused', async (kind) => {
    const { body } = await enroll({ token: await house.token(), csr: csr(house.folder.key(kind)) }).expect(422);
    expect(body).toMatchObject({ code: 'remote-agent.key-type', field: 'csr' });
  });

  it('only the key is taken: neither its subject nor what it would like to be', async () => {
    const keyFile = house.folder.key();
    const more = ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'subjectAltName=DNS:horarium.example.org'];
    const request = csr(keyFile, '/O=evil/CN=root', more);
    const { body } = await enroll({ token: await house.token(), csr: request }).expect(201);
    const text = house.folder.text(body.certificate as string);
    expect(text).toContain('CA:FALSE');
    expect(text).toContain('TLS Web Client Authentication');
    expect(text).toContain(`URI:spiffe://horarium/tenant/1/agent/${body.agent_id}`);
    expect(text).not.toMatch(/evil|horarium\.example\.org|CA:TRUE|Server Authentication/);
  });

  it('what is tampered with, or no request at all, is refused in words', async () => {
    const good = csr(house.folder.key());
    const der = Buffer.from(good.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    der[der.length - 5]! ^= 1;
    const tampered = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const junk = `-----BEGIN CERTIFICATE REQUEST-----\n${'A'.repeat(200)}\n-----END CERTIFICATE REQUEST-----\n`;
    const token = await house.token();
    for (const request of [tampered, junk, 'hello', '']) {
      const { body } = await enroll({ token, csr: request }).expect(422);
      expect(body).toMatchObject({ code: 'remote-agent.csr-invalid', field: 'csr' });
    }
    await enroll({ token, csr: good }).expect(201);
  });
});

describe('a machine that comes again', () => {
  it('keeps its id with a token for it; what it had ends when the new certificate is used', async () => {
    const before = await house.enrol({ name: 'disk-swap' });
    expect((await house.heartbeat(before)).status).toBe(200);
    const after = await house.enrol({ token: await house.token({ agent_id: before.id }) });
    expect(after.id).toBe(before.id);
    expect((await house.heartbeat(before)).status).toBe(200);
    expect((await house.heartbeat(after)).status).toBe(200);
    const refused = await house.heartbeat(before);
    expect([refused.status, refused.body.code]).toEqual([401, 'remote-agent.cert-revoked']);
    expect((await house.operator.get(`/api/1.0/remote-agents/${after.id}`)).body.name).toBe('disk-swap');
  });
});

describe('renewal and recovery', () => {
  const renew = (agent: { keyFile: string; certFile: string }, keyFile: string) =>
    house.ask('/agent/v1/renew', { identity: agent, body: { csr: csr(keyFile) } });

  it('gives a new certificate for a new key; both are good, a copy of the old one is found out', async () => {
    const one = await house.enrol();
    await house.heartbeat(one);
    const keyFile = house.folder.key();
    // The answer got lost once.
    expect((await renew(one, house.folder.key())).status).toBe(201);
    const { status, body } = await renew(one, keyFile);
    expect(status).toBe(201);
    expect(body.agent_id).toBe(one.id);
    const two = { keyFile, certFile: house.folder.write(body.certificate as string) };
    expect((await house.heartbeat(two)).status).toBe(200);
    expect((await house.heartbeat(one)).status).toBe(200);
    const copy = await renew(one, house.folder.key());
    expect([copy.status, copy.body.code]).toEqual([409, 'remote-agent.cert-superseded']);
    const shown = await house.operator.get(`/api/1.0/remote-agents/${one.id}`).expect(200);
    expect(shown.body.suspected_clone_at).not.toBeNull();
    expect((await house.operator.get('/api/1.0/remote-agents/counts')).body.suspected_clones).toBe(1);
    expect((await renew(two, house.folder.key())).status).toBe(201);
    await house.operator.patch(`/api/1.0/remote-agents/${one.id}`, { disabled: false }).expect(200);
    const cleared = await house.operator.get(`/api/1.0/remote-agents/${one.id}`);
    expect(cleared.body.suspected_clone_at).toBeNull();
  });

  it('believes the old key, and nobody else', async () => {
    const agent = await house.enrol();
    const request = csr(house.folder.key());
    const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    const nonce = 'a-nonce-of-tests-01';
    const text = `${nonce}.${createHash('sha256').update(der).digest('hex')}`;
    const recover = (more: object) =>
      house.operator.post('/api/1.0/remote-agents/recover', {
        certificate: agent.certificate,
        csr: request,
        nonce,
        signature: house.folder.sign(agent.keyFile, text),
        ...more,
      });
    const wrong = await recover({ signature: house.folder.sign(house.folder.key(), text) }).expect(403);
    expect(wrong.body.code).toBe('remote-agent.proof-invalid');
    await recover({ nonce: 'another-nonce-of-tests' }).expect(403);
    await recover({ csr: csr(house.folder.key()) }).expect(403);
    const { body } = await recover({}).expect(201);
    expect(body.agent_id).toBe(agent.id);
    await house.operator.post(`/api/1.0/remote-agents/${agent.id}/revoke`).expect(200);
    expect((await recover({}).expect(401)).body.code).toBe('remote-agent.cert-revoked');
  });
});

it('the authority is shown and replaced by operators; agents of both come in', async () => {
  const old = await house.enrol();
  await (await house.app.as('mia', { roles: ['manager'] })).get('/api/1.0/remote-agents/authorities').expect(403);
  const { body } = await house.operator.post('/api/1.0/remote-agents/authorities/rotate').expect(200);
  expect(body).toMatchObject([
    { signs: true, trusted_until: null },
    { signs: false, trusted_until: expect.any(String) },
  ]);
  house.app.ticker.wake('agent-listener');
  await house.app.ticker.ticked('agent-listener');
  const fresh = await house.enrol();
  expect((fresh.answer.ca_bundle as string).match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  // Both with the bundle from before the rotation: an agent that was away knows no other.
  for (const agent of [old, fresh]) expect((await house.heartbeat(agent)).status).toBe(200);
  const sealed = await house.operator.get('/api/operations/secrets').expect(200);
  expect(sealed.body.sealed).toEqual([
    expect.objectContaining({ table: 'compliance.agent_authorities', values: 2, readable: true }),
  ]);
});

it('who fails often is not listened to for a while', async () => {
  const answers = [];
  for (let tries = 0; tries < 60; tries++) {
    answers.push((await enroll({ token: `hzt_${'x'.repeat(32)}`, csr: 'no' })).status);
  }
  expect(answers[0]).toBe(403);
  expect(answers.at(-1)).toBe(429);
});
