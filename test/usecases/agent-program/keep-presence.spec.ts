import { ServerAwayError, ServerRefusesError } from '../../../src/agent-program/domain/errors';
import type { KeptIdentity } from '../../../src/agent-program/domain/identity';
import { backOffSeconds } from '../../../src/agent-program/domain/waiting';
import type { Heard, Issued } from '../../../src/agent-program/ports/server';
import { KeepPresence } from '../../../src/agent-program/usecases/keep-presence';

const START = Date.parse('2026-11-30T12:00:00Z');
const away = (code = 'ECONNREFUSED'): Error =>
  new ServerAwayError('https://h', Object.assign(new Error(code), { code }));
const HEARD: Heard = { nextHeartbeatSeconds: 30, reconnectSpreadSeconds: 30, renew: false };

/** A server that is told what to answer, a clock that moves with each wait, and all that happened, in order. */
function stage(steps: (() => Heard | Error)[], more: { ended?: true; renewal?: Error } = {}) {
  let time = START;
  const happened: string[] = [];
  const stop = new AbortController();
  const life = 7 * 86_400;
  let identity: KeptIdentity = {
    server: 'https://h',
    agentId: 'a',
    name: 'm',
    key: 'key-0',
    certificate: 'cert-0',
    serverBundle: null,
    agentUrl: 'https://h:1',
    notAfter: new Date(more.ended === true ? START : START + life * 1_000),
    renewAfter: new Date(START + life * 500),
  };
  let made = 0;
  const issue = (): Issued => ({
    agentId: 'a',
    certificate: `cert-${made}`,
    serverBundle: null,
    agentUrl: 'https://h:1',
    notAfter: new Date(time + life * 1_000),
    renewAfter: new Date(time + life * 500),
  });
  const answer = (what: string, failure?: Error): Promise<Issued> => {
    happened.push(what);
    return failure === undefined ? Promise.resolve(issue()) : Promise.reject(failure);
  };
  const presence = new KeepPresence(
    {
      where: 'here',
      read: () => Promise.resolve(identity),
      write: (written) => {
        happened.push(`kept ${written.certificate}`);
        identity = written;
        return Promise.resolve();
      },
      pendingKey: (make) => make(),
      forgetPending: () => Promise.resolve(),
    },
    {
      make: () => Promise.resolve(`key-${++made}`),
      request: (key) => Promise.resolve(`csr of ${key}`),
      prove: () => ({ nonce: 'n', signature: 's' }),
    },
    {
      enroll: () => answer('enrolled'),
      renew: () => answer('renewed', more.renewal),
      recover: () => answer('recovered'),
      heartbeat: ({ certificate }) => {
        happened.push(`beat with ${certificate}`);
        const said = steps.shift()?.() ?? HEARD;
        if (steps.length === 0) stop.abort();
        return said instanceof Error ? Promise.reject(said) : Promise.resolve(said);
      },
      close: () => undefined,
    },
    { now: () => new Date(time) },
    {
      wait: (seconds) => {
        happened.push(`waited ${seconds}`);
        time += seconds * 1_000;
        return Promise.resolve();
      },
      chance: () => 0.5,
      say: () => undefined,
      seconds: () => time / 1_000,
    },
  );
  return { run: () => presence.run(stop.signal), happened };
}

it('speaks at the rhythm it is told', async () => {
  const { run, happened } = stage([() => HEARD, () => ({ ...HEARD, nextHeartbeatSeconds: 60 }), () => HEARD]);
  await run();
  expect(happened.filter((what) => what.startsWith('waited')).slice(0, 2)).toEqual(['waited 30', 'waited 60']);
});

it('renews when it is told to, keeps the new one before it uses it, and uses it', async () => {
  const { run, happened } = stage([() => ({ ...HEARD, renew: true }), () => HEARD]);
  await run();
  expect(happened.slice(0, 4)).toEqual(['beat with cert-0', 'renewed', 'kept cert-1', 'beat with cert-1']);
});

it('goes on speaking while a renewal fails, and does not try each time', async () => {
  const told = (): Heard => ({ ...HEARD, renew: true });
  const { run, happened } = stage([told, told, told, told], { renewal: away() });
  await run();
  expect(happened.filter((what) => what === 'renewed')).toHaveLength(2);
  expect(happened.filter((what) => what.startsWith('beat'))).toHaveLength(4);
});

it('recovers when its certificate has ended by the wall clock', async () => {
  const { run, happened } = stage([() => HEARD], { ended: true });
  await run();
  expect(happened.slice(0, 3)).toEqual(['recovered', 'kept cert-1', 'beat with cert-1']);
});

it('tries once more at once when a kept connection was just closed, and then waits', async () => {
  const reset = (): Error => away('ECONNRESET');
  const { run, happened } = stage([() => HEARD, reset, () => HEARD, reset, reset, () => HEARD]);
  await run();
  expect(happened).toEqual([
    'beat with cert-0',
    'waited 30',
    'beat with cert-0',
    'beat with cert-0',
    'waited 30',
    'beat with cert-0',
    'beat with cert-0',
    'waited 15',
    'beat with cert-0',
    'waited 30',
  ]);
});

it('lets the server judge after many resets: its own clock may be wrong', async () => {
  const { run, happened } = stage([...Array.from({ length: 5 }, () => () => away('ECONNRESET')), () => HEARD]);
  await run();
  expect(happened.filter((what) => !what.startsWith('waited')).slice(4, 8)).toEqual([
    'beat with cert-0',
    'recovered',
    'kept cert-1',
    'beat with cert-1',
  ]);
});

it.each(['cert-revoked', 'cert-unknown', 'cert-superseded'])('ends when only a person can help: %s', async (code) => {
  const refusal = new ServerRefusesError(401, `remote-agent.${code}`, 'No.');
  await expect(stage([() => refusal, () => HEARD]).run()).rejects.toBe(refusal);
});

it('waits while it is disabled', async () => {
  const refusal = new ServerRefusesError(403, 'remote-agent.agent-disabled', 'No.');
  const { run, happened } = stage([() => refusal, () => HEARD]);
  await run();
  expect(happened.filter((what) => what.startsWith('beat'))).toHaveLength(2);
});

it('waits longer each time, up to a minute or the spread, all of it by chance', () => {
  expect([1, 2, 3, 10, 1_000].map((failures) => backOffSeconds(failures, 0, 1))).toEqual([2, 4, 8, 60, 60]);
  expect(backOffSeconds(1, 334, 1)).toBe(334);
  expect(backOffSeconds(5, 30, 0)).toBe(0);
});
