// Test support. The whole application with a port for agents, and machines that enrol with it by openssl and curl.
import { AgentListener } from '../../../src/remote-agent';
import { type Client, testApp, type TestApp } from '../app';
import { curl, type CurlAnswer, type CurlOptions, type Identity, type KeyKind, OpensslFolder } from './openssl';

export interface Enrolled extends Identity {
  readonly id: string;
  readonly certificate: string;
  readonly answer: Record<string, unknown>;
}

export interface AgentHouse {
  readonly app: TestApp;
  readonly operator: Client;
  readonly folder: OpensslFolder;
  readonly url: string;
  /** A file with whom agents trust. */
  readonly ca: string;
  token(more?: object): Promise<string>;
  enrol(options?: { kind?: KeyKind; name?: string; token?: string; keyFile?: string }): Promise<Enrolled>;
  /** A request to the port for agents. */
  ask(path: string, options?: Partial<CurlOptions>): Promise<CurlAnswer>;
  heartbeat(identity?: Identity, more?: Partial<CurlOptions>): Promise<CurlAnswer>;
  close(): Promise<void>;
}

export async function agentHouse(env: Readonly<Record<string, string>> = {}): Promise<AgentHouse> {
  const app = await testApp({ HORARIUM_AGENT_PORT: '0', ...env });
  const folder = new OpensslFolder();
  const operator = await app.as('olga', { roles: ['operator'] });
  const scheme = env.HORARIUM_AGENT_IDENTITY === 'header' ? 'http' : 'https';
  const url = `${scheme}://127.0.0.1:${app.app.get(AgentListener).port}`;
  const authorities = await operator.get('/api/1.0/remote-agents/authorities').expect(200);
  const ca = folder.write(
    (authorities.body as { certificate: string }[]).map(({ certificate }) => certificate).join(''),
  );
  const token = async (more: object = {}): Promise<string> =>
    (await operator.post('/api/1.0/remote-agents/enrollment-tokens', more).expect(201)).body.token as string;
  const ask: AgentHouse['ask'] = (path, options = {}) => curl(url + path, { ca, ...options });
  return {
    app,
    operator,
    folder,
    url,
    ca,
    token,
    ask,
    heartbeat: (identity, more = {}) =>
      ask('/agent/v1/heartbeat', { body: {}, ...(identity === undefined ? {} : { identity }), ...more }),
    async enrol({ kind, name = 'machine', token: given, keyFile = folder.key(kind) } = {}) {
      const body = { token: given ?? (await token()), csr: folder.csr(keyFile), name };
      const answer = await operator.post('/api/1.0/remote-agents/enroll', body).expect(201);
      const { agent_id: id, certificate } = answer.body as { agent_id: string; certificate: string };
      return { id, keyFile, certificate, certFile: folder.write(certificate), answer: answer.body as never };
    },
    async close() {
      await app.close();
      folder.close();
    },
  };
}
