// The port behind a proxy that ends TLS: what the proxy hands on is judged again, and nobody else's word is heard.
import { type AgentHouse, agentHouse } from '../support/agents/agent-house';

const BEHIND = { HORARIUM_AGENT_IDENTITY: 'header', HORARIUM_AGENT_IDENTITY_HEADER: 'x-client-cert' };
const houses: AgentHouse[] = [];
async function behind(proxies: string): Promise<AgentHouse> {
  const house = await agentHouse({ ...BEHIND, HORARIUM_AGENT_PROXIES: proxies });
  houses.push(house);
  return house;
}
afterAll(async () => {
  for (const house of houses) await house.close();
});

const beat = async (house: AgentHouse, ...headers: string[]) => {
  const { status, body } = await house.heartbeat(undefined, { headers });
  return [status, body.code];
};
const header = (certificate: string): string => `X-Client-Cert: ${encodeURIComponent(certificate)}`;

it('takes a certificate of ours from the header that was named, and no other', async () => {
  const house = await behind('loopback');
  const { certificate, id } = await house.enrol();
  const none = [401, 'remote-agent.no-certificate'];
  expect(await beat(house, header(certificate))).toEqual([200, undefined]);
  const der = Buffer.from(certificate.replace(/-----[^-]+-----|\s/g, ''), 'base64').toString('base64');
  expect(await beat(house, `X-Client-Cert: :${der}:`)).toEqual([200, undefined]);
  expect(await beat(house, `Client-Cert: :${der}:`)).toEqual(none);
  expect(await beat(house)).toEqual(none);
  expect(await beat(house, 'X-Client-Cert: SUCCESS', 'X-Client-Verify: SUCCESS')).toEqual(none);
  const foreign = house.folder.foreign('/CN=Horarium agents', [
    'extendedKeyUsage=clientAuth',
    `subjectAltName=URI:spiffe://horarium/tenant/1/agent/${id}`,
  ]);
  const pem = house.folder.run('x509', '-in', foreign.certFile).toString();
  expect(await beat(house, header(pem))).toEqual(none);
  await house.operator.post(`/api/1.0/remote-agents/${id}/revoke`).expect(200);
  // A round that begins afterwards: one that was under way has looked already.
  const looked = house.app.ticker.ticked('agent-rights');
  house.app.ticker.wake('agent-rights');
  await looked;
  expect(await beat(house, header(certificate))).toEqual([401, 'remote-agent.cert-revoked']);
});

it('hears nobody but the proxies that were named', async () => {
  const house = await behind('192.0.2.1');
  const { certificate } = await house.enrol();
  expect((await beat(house, header(certificate)))[0]).toBe(404);
});
