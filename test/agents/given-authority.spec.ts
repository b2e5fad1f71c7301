// An authority and a certificate of the operator's own, from files: they sign, they are shown, and wrong ones are named.
import { readFileSync } from 'node:fs';
import { GivenAuthorities } from '../../src/remote-agent/outbound/given-authorities';
import { type AgentHouse, agentHouse } from '../support/agents/agent-house';
import { OpensslFolder } from '../support/agents/openssl';

let files: OpensslFolder;
let house: AgentHouse;
let own: { readonly ca: string; readonly caKey: string };

/** An authority as an operator makes one. */
function authority(subject: string): typeof own {
  const caKey = files.key();
  const ca = files.write('');
  files.run('req', '-x509', '-new', '-key', caKey, '-subj', subject, '-days', '30', '-out', ca);
  return { ca, caKey };
}

beforeAll(async () => {
  files = new OpensslFolder();
  own = authority('/CN=Agents of ours');
  house = await agentHouse({ HORARIUM_AGENT_CA_FILE: own.ca, HORARIUM_AGENT_CA_KEY_FILE: own.caKey });
});
afterAll(async () => {
  await house.close();
  files.close();
});

it('the given authority signs for agents and for the port; nothing of it is stored; it is not rotated here', async () => {
  const agent = await house.enrol();
  expect(files.run('verify', '-CAfile', own.ca, agent.certFile).toString()).toContain('OK');
  expect((await house.ask('/agent/v1/heartbeat', { identity: agent, body: {}, ca: own.ca })).status).toBe(200);
  const { body } = await house.operator.get('/api/1.0/remote-agents/authorities').expect(200);
  expect(body).toMatchObject([{ subject: 'CN=Agents of ours', signs: true }]);
  const refused = await house.operator.post('/api/1.0/remote-agents/authorities/rotate').expect(409);
  expect(refused.body.code).toBe('remote-agent.authority-given');
  const { rows } = await house.app.database.admin.query('select 1 from compliance.agent_authorities');
  expect(rows).toEqual([]);
});

it('of several the first signs, all are trusted; what cannot be used is named', () => {
  const [old, fresh] = [own, authority('/CN=Agents of ours, later')];
  const both = files.write(readFileSync(fresh.ca, 'utf8') + readFileSync(old.ca, 'utf8'));
  expect(() => GivenAuthorities.read(both, fresh.caKey)).not.toThrow();
  expect(() => GivenAuthorities.read(both, old.caKey)).toThrow(`${old.caKey} is not the key of the first certificate`);
  expect(() => GivenAuthorities.read('/no/such/file', old.caKey)).toThrow('/no/such/file cannot be read (ENOENT)');
  expect(() => GivenAuthorities.read(old.caKey, old.caKey)).toThrow('holds no certificate in PEM');
  expect(() => GivenAuthorities.read(old.ca, old.ca)).toThrow('holds no private key in PEM');
  const ed25519 = files.key('ed25519');
  expect(() => GivenAuthorities.read(old.ca, ed25519)).toThrow('must hold a key of RSA, EC P-256 or EC P-384');
});
