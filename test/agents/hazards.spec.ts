// What Node's TLS does not do by itself. Each of these was seen to go wrong on a listener that was set up less carefully.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { connect, type SecureVersion } from 'node:tls';
import { Clock } from '../../src/kernel/clock';
import { systemActor } from '../../src/kernel/actor';
import { AgentListener } from '../../src/remote-agent';
import { AgentRepository } from '../../src/remote-agent/ports/agent-repository';
import { CertificateAuthority } from '../../src/remote-agent/ports/certificate-authority';
import { type AgentHouse, agentHouse, type Enrolled } from '../support/agents/agent-house';
import type { Identity } from '../support/agents/openssl';

let house: AgentHouse;

beforeAll(async () => {
  house = await agentHouse();
});
afterAll(() => house.close());

interface Answer {
  status: number;
  code: unknown;
  socket: unknown;
}

function tls(identity?: Identity) {
  const own =
    identity === undefined ? {} : { cert: readFileSync(identity.certFile), key: readFileSync(identity.keyFile) };
  return { ca: readFileSync(house.ca), ...own };
}

/** A heartbeat over a connection that is kept. */
function beat(agent: Agent, more: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...more.headers };
    const sent = request(`${house.url}/agent/v1/heartbeat`, { method: 'POST', agent, ...more, headers }, (response) => {
      let text = '';
      response.on('data', (part) => (text += String(part)));
      response.on('end', () => {
        const body = (text === '' ? {} : JSON.parse(text)) as { code?: string };
        resolve({ status: response.statusCode ?? 0, code: body.code, socket: sent.socket });
      });
    });
    sent.on('error', reject);
    sent.end('{}');
  });
}

const keeping = (identity: Identity): Agent => new Agent({ keepAlive: true, maxSockets: 1, ...tls(identity) });

/** Another certificate for an enrolled agent, with a time of our choice. */
async function issued(agent: Enrolled, notBefore: Date, notAfter: Date): Promise<Identity> {
  const authority = house.app.app.get<CertificateAuthority>(CertificateAuthority);
  const keyFile = house.folder.key();
  const key = await authority.readRequest(house.folder.csr(keyFile));
  const identity = { tenantId: 1, agentId: agent.id };
  const { serial, certificate } = await authority.sign(key, identity, { notBefore, notAfter }, now());
  const row = { ...identity, serial, keyFingerprint: key.fingerprint, issuedAt: now(), notBefore, notAfter };
  await house.app.app
    .get<AgentRepository>(AgentRepository)
    .addCertificate(systemActor('test'), { ...row, firstUsedAt: null, revokedAt: null }, { replacesAll: false });
  return { keyFile, certFile: house.folder.write(certificate) };
}

const now = (): Date => house.app.app.get<Clock>(Clock).now();
const inSeconds = (seconds: number): Date => new Date(now().getTime() + seconds * 1_000);
const refusals = async (): Promise<string> =>
  (await house.operator.get('/metrics')).text.match(/horarium_agent_connections_refused_total\{.*/g)?.join('\n') ?? '';

describe('H1, H2: sessions', () => {
  async function twice(version: SecureVersion, identity: Identity): Promise<boolean[]> {
    const port = Number(new URL(house.url).port);
    const settings = { host: '127.0.0.1', port, minVersion: version, maxVersion: version, ...tls(identity) };
    const first = connect(settings);
    let session: Buffer | undefined;
    first.on('session', (given: Buffer) => (session = given));
    await once(first, 'secureConnect');
    const reused = [first.isSessionReused()];
    first.write('GET /agent/v1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    first.resume();
    await once(first, 'close');
    const second = connect({ ...settings, ...(session === undefined ? {} : { session }) });
    await once(second, 'secureConnect');
    reused.push(second.isSessionReused());
    second.destroy();
    return reused;
  }

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('none is resumed with %s', async (version) => {
    expect(await twice(version, await house.enrol())).toEqual([false, false]);
  });

  it('an older protocol is not spoken', async () => {
    const { status, exit } = await house.heartbeat(await house.enrol(), { more: ['--tls-max', '1.1'] });
    expect([status, exit]).toEqual([0, 35]);
  });
});

describe('H2, H4: an open connection', () => {
  it('ends in refusals when the certificate ends', async () => {
    const agent = keeping(await house.enrol());
    const first = await beat(agent);
    const later = jest.spyOn(house.app.app.get<Clock>(Clock), 'now').mockReturnValue(inSeconds(8 * 86_400));
    const second = await beat(agent);
    later.mockRestore();
    expect([first.status, second.status, second.code]).toEqual([200, 401, 'remote-agent.cert-expired']);
    expect(second.socket).toBe(first.socket);
    expect((await beat(agent)).status).toBe(200);
    agent.destroy();
  });

  it.each([
    [
      'revoked',
      401,
      'remote-agent.cert-revoked',
      (id: string) => house.operator.post(`/api/1.0/remote-agents/${id}/revoke`),
    ],
    [
      'disabled',
      403,
      'remote-agent.agent-disabled',
      (id: string) => house.operator.patch(`/api/1.0/remote-agents/${id}`, { disabled: true }),
    ],
    [
      'deleted',
      401,
      'remote-agent.cert-unknown',
      (id: string) => house.operator.delete(`/api/1.0/remote-agents/${id}`),
    ],
  ] as const)('is refused when the agent is %s', async (_, status, code, act) => {
    const enrolled = await house.enrol();
    const agent = keeping(enrolled);
    const first = await beat(agent);
    await act(enrolled.id).expect(200);
    // A round that begins afterwards: one that was under way has looked already.
    house.app.ticker.wake('agent-rights');
    await house.app.ticker.ticked('agent-rights');
    const second = await beat(agent);
    expect([first.status, second.status, second.code]).toEqual([200, status, code]);
    expect(second.socket).toBe(first.socket);
    agent.destroy();
  });
});

describe('H3: certificates that only look like ours', () => {
  const subject = async (): Promise<string> => {
    const { body } = await house.operator.get('/api/1.0/remote-agents/authorities');
    return `/${(body as { subject: string }[])[0]!.subject}`;
  };
  const like = (agent: Enrolled): string[] => [
    'extendedKeyUsage=clientAuth',
    `subjectAltName=URI:spiffe://horarium/tenant/1/agent/${agent.id}`,
  ];

  it.each(['30', '-1'])('one by an authority of the same name opens nothing, %s days before its end', async (days) => {
    const foreign = house.folder.foreign(await subject(), like(await house.enrol()), days === '-1' ? '0' : days);
    expect((await house.heartbeat(foreign)).status).toBe(0);
    const body = {
      certificate: readFileSync(foreign.certFile, 'utf8'),
      csr: house.folder.csr(house.folder.key()),
      nonce: 'a-nonce-of-tests-01',
      signature: house.folder.sign(foreign.keyFile, 'whatever'),
    };
    const refused = await house.operator.post('/api/1.0/remote-agents/recover', body).expect(403);
    expect(refused.body.code).toBe('remote-agent.proof-invalid');
  });

  it('one of ours without its row opens nothing', async () => {
    const enrolled = await house.enrol();
    await house.app.database.admin.query('delete from compliance.agent_certificates where agent_id = $1', [
      enrolled.id,
    ]);
    const { status, body } = await house.heartbeat(enrolled);
    expect([status, body.code]).toEqual([401, 'remote-agent.cert-unknown']);
  });

  it("the port's own certificate opens nothing", async () => {
    const authority = house.app.app.get<{
      serverCertificate(names: string[], validity: object, now: Date): Promise<{ certificate: string; key: string }>;
    }>(CertificateAuthority);
    const validity = { notBefore: inSeconds(-60), notAfter: inSeconds(600) };
    const { certificate, key } = await authority.serverCertificate(['localhost'], validity, now());
    const identity = { certFile: house.folder.write(certificate), keyFile: house.folder.write(key) };
    expect((await house.heartbeat(identity)).status).toBe(0);
  });
});

describe('H5: what is refused before the first request', () => {
  it('is only a closed connection to the client; the server counts why', async () => {
    const enrolled = await house.enrol();
    const none = await house.heartbeat();
    const future = await house.heartbeat(await issued(enrolled, inSeconds(3_600), inSeconds(7_200)));
    const past = await house.heartbeat(await issued(enrolled, inSeconds(-7_200), inSeconds(-3_600)));
    for (const answer of [none, future, past]) {
      expect(answer.status).toBe(0);
      expect(answer.exit).not.toBe(0);
    }
    expect(await refusals()).toMatch(/code="ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE"\} [1-9]/);
    expect((await refusals()).split('\n').length).toBeGreaterThanOrEqual(2);
    expect((await house.heartbeat(enrolled)).status).toBe(200);
  });
});

describe('H7: two ports, one application', () => {
  const POLITE = { 'X-Client-Cert': 'x', 'Client-Cert': ':AAAA:', 'X-SSL-Client-Verify': 'SUCCESS' };

  it('the ordinary one answers no address of agents, whatever a header says', async () => {
    const { certificate } = await house.enrol();
    for (const headers of [{}, POLITE, { ...POLITE, 'X-Client-Cert': encodeURIComponent(certificate) }]) {
      const { status, body } = await house.operator.post('/agent/v1/heartbeat', {}).set(headers);
      expect([status, body.code]).toEqual([401, 'remote-agent.wrong-listener']);
    }
  });

  it('the one for agents answers nothing else', async () => {
    const identity = await house.enrol();
    const token = await house.app.token('olga', { roles: ['operator'] });
    for (const path of ['/api/1.0/remote-agents', '/metrics', '/health/live', '/docs', '/', '/agent/v2/heartbeat']) {
      const { status } = await house.ask(path, { identity, headers: [`Authorization: Bearer ${token}`] });
      expect([path, status]).toEqual([path, 404]);
    }
    // What is put together to another address on the way is no way around.
    const { status } = await house.ask('/agent/v1/../../api/1.0/remote-agents', {
      identity,
      headers: [`Authorization: Bearer ${token}`],
      more: ['--path-as-is'],
    });
    expect(status).toBe(404);
    expect((await house.ask('/agent/v1/nothing', { identity, body: {} })).status).toBe(404);
    expect((await house.heartbeat(identity, { body: { tenant_id: 2 } })).status).toBe(422);
  });
});

it('H8: connections are kept for more than two heartbeats', async () => {
  const { headers } = await new Promise<{ headers: Record<string, unknown> }>((resolve, reject) => {
    const agent = new Agent({ keepAlive: true });
    void house.enrol().then((identity) => {
      const asked = request(
        `${house.url}/agent/v1/heartbeat`,
        { method: 'POST', agent, ...tls(identity) },
        (response) => {
          response.resume().on('end', () => {
            agent.destroy();
            resolve({ headers: response.headers });
          });
        },
      );
      asked.on('error', reject).end();
    }, reject);
  });
  expect(headers['keep-alive']).toBe('timeout=95');
});

it('H6: the port is closed with the application', async () => {
  const other = await agentHouse();
  const port = other.app.app.get(AgentListener).port!;
  const kept = new Agent({ keepAlive: true });
  await other.close();
  kept.destroy();
  const socket = connectTcp(port, '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
