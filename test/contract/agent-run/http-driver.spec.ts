// What the http driver promises beyond the contract of all drivers: a run is offered again only as long as it is certain that
// the service has not taken it.
import { assistantFrom } from '../../../src/agent-run/domain/assistant-settings';
import { LaunchFailedError } from '../../../src/agent-run/domain/errors';
import { httpDriver, service } from '../../support/agents/http-stage';
import { outsideLaunch, outsideWorld, storing, type OutsideWorld } from '../../support/agents/outside-stage';

let world: OutsideWorld;
let web: Awaited<ReturnType<typeof service>>;
/** One answer a request; null: none at all. When they are used up it takes the run. */
let answers: ({ status: number; headers?: Record<string, string> } | null)[];
let offered: string[];
beforeAll(async () => {
  world = await outsideWorld();
  web = await service(({ headers }, _, response) => {
    offered.push(String(headers['webhook-id']));
    const answer = answers.shift();
    if (answer === null) return;
    response.writeHead(answer?.status ?? 202, answer?.headers).end();
  });
});
afterAll(async () => {
  await web.close();
  await world.close();
});
beforeEach(() => (offered = []));

async function start(given: typeof answers, settings: Record<string, unknown> = {}) {
  answers = given;
  const http = { driver: 'http', url: web.url, secret: 'AGENT_SECRET' };
  const launch = outsideLaunch(assistantFrom('service', { ...http, ...settings }, '/'));
  const driver = storing(world, httpDriver(world.outside(), [1, 1]));
  return { ...(await driver.start(launch)), launch, driver };
}

test.each([408, 425, 429, 503])('%i: it is offered again, as the same run', async (status) => {
  const { launch, driver } = await start([{ status }, { status }]);
  expect(offered).toEqual(Array(3).fill(launch.agentRunId));
  expect(await driver.find(launch.requestId)).toEqual({ state: 'running' });
});

test('as often as there is patience, then it has certainly not started', async () => {
  await expect(start(Array(3).fill({ status: 503 }))).rejects.toThrow(LaunchFailedError);
  expect(offered).toHaveLength(3);
});

test('a service that failed at it is not asked again: nobody knows how far it came', async () => {
  const { ended } = await start([{ status: 500 }]);
  expect(await ended).toMatchObject({ status: 'error', error: expect.stringContaining('answered 500') });
  expect(offered).toHaveLength(1);
});

test('a service that was reached and does not answer may work on it: it is not asked again', async () => {
  const { launch, driver } = await start([null], { answer_seconds: 1 });
  expect(offered).toHaveLength(1);
  expect(await driver.find(launch.requestId)).toEqual({ state: 'running' });
});

test.each([400, 404, 422])('%i is a refusal, once', async (status) => {
  await expect(start([{ status }])).rejects.toThrow(LaunchFailedError);
  expect(offered).toHaveLength(1);
});

test('a redirect is not followed, wherever it leads', async () => {
  const away = { status: 307, headers: { Location: web.url } };
  await expect(start([away])).rejects.toThrow('give the address that it redirects to');
  expect(offered).toHaveLength(1);
});

test('an address that is not public, and not listed, is never called', async () => {
  await expect(start([], { url: 'http://169.254.169.254/latest' })).rejects.toThrow('is not a public address');
  await expect(start([], { url: 'http://10.0.0.1/runs' })).rejects.toThrow(LaunchFailedError);
  expect(offered).toEqual([]);
});
