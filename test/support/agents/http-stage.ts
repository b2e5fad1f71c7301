// Test support. The http driver on the stage of the contract suite: a web service that answers at once, or accepts and reports.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { bareEnd } from '../../../src/agent-run/domain/run-end';
import { toldBy } from '../../../src/agent-run/domain/told-result';
import { HttpDriver } from '../../../src/agent-run/outbound/http-driver';
import type { SqlOutsideRuns } from '../../../src/agent-run/outbound/sql-outside-runs';
import { allowedDestinations } from '../../../src/platform/http/allowed-destinations';
import { OutboundHttp } from '../../../src/platform/http/outbound-http';
import { EVERYTHING, type DriverStage } from './driver-stage';
import { OutsideAgent, outsideLaunch, outsideWorld, storing } from './outside-stage';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A web service on this machine. */
export async function service(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void) {
  const server = createServer(
    (request, response) => void text(request).then((body) => answer(request, body, response)),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/runs`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
}

export function httpDriver(outside: SqlOutsideRuns, retryAfterMs: readonly number[] = []): HttpDriver {
  return new HttpDriver({
    http: new OutboundHttp(allowedDestinations('127.0.0.1')),
    outside,
    clock: { now: () => new Date() },
    environment: { AGENT_SECRET: SECRET },
    publicUrl: 'https://horarium.example',
    retryAfterMs,
  });
}

interface Message {
  readonly type: string;
  readonly data: {
    agent_run_id: string;
    run_token: string;
    request_id: string;
    prompt: string;
    agent_session: string | null;
  };
}

export async function httpStage(): Promise<DriverStage> {
  const world = await outsideWorld();
  const agent = new OutsideAgent();
  const outside = world.outside();
  let late = false;
  const { url, close } = await service(({ headers }, body, response) => {
    const message = new Webhook(SECRET).verify(body, headers as Record<string, string>) as Message;
    if (message.type !== 'agent_run.requested') return void response.writeHead(204).end();
    const { agent_run_id: id, run_token: token, request_id: requestId, prompt, agent_session } = message.data;
    if (refused.has(requestId)) return void response.writeHead(400).end('no such model');
    const answer = agent.answer(requestId, prompt, agent_session);
    // Every other answer comes later.
    late = !late;
    if (answer !== null && !late) return void response.writeHead(200).end(JSON.stringify(answer));
    response.writeHead(202).end();
    const told = toldBy(answer, new Date());
    if (told === null) return;
    const end = bareEnd(told.error === null ? 'success' : 'error', told.error, told);
    response.on('finish', () => void outside.report(id, token, end));
  });
  const refused = new Set<string>();
  const settings = { driver: 'http', url, secret: 'AGENT_SECRET' };
  return {
    driver: storing(world, httpDriver(outside)),
    plays: EVERYTHING,
    elsewhere: () => Promise.resolve(httpDriver(world.outside())),
    launch: (behaviour, more, more_settings) => {
      const launch = outsideLaunch(assistantFrom('service', { ...settings, ...more_settings }, '/'), more);
      agent.behave(launch.requestId, behaviour);
      if (behaviour.does === 'refuse') refused.add(launch.requestId);
      return launch;
    },
    atWork: ({ requestId }) => agent.atWork(requestId),
    broken: assistantFrom('broken', { ...settings, url: 'http://10.0.0.1/', secret: 'NOT_SET' }, '/'),
    close: async () => {
      await close();
      await world.close();
    },
  };
}
