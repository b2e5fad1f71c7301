// What the module asks the database for while nobody comes: nothing.
import type { Beat } from '../../../src/remote-agent/domain/heartbeat';
import { AgentUpkeep } from '../../../src/remote-agent/usecases/agent-upkeep';
import { AnnouncePresence } from '../../../src/remote-agent/usecases/announce-presence';
import { AuthenticateAgent } from '../../../src/remote-agent/usecases/authenticate-agent';
import { PruneAgents } from '../../../src/remote-agent/usecases/prune-agents';
import { RecordHeartbeat } from '../../../src/remote-agent/usecases/record-heartbeat';

const START = Date.parse('2026-12-01T12:00:00Z');
const POLICY = { intervalSeconds: 30, offlineThresholdSeconds: 120 };
const at = (seconds: number): Date => new Date(START + seconds * 1_000);

function upkeep() {
  const asked: string[] = [];
  const written: (readonly Beat[])[] = [];
  const lastSeen = {
    write: (beats: readonly Beat[]) => Promise.resolve(void written.push(beats)),
    announce: () => Promise.resolve(void asked.push('announce')).then(() => ({ agents: 1, online: 0, offline: 0 })),
  };
  const answer = (what: string) => () => {
    asked.push(what);
    return Promise.resolve([]);
  };
  const repository = { changedSince: answer('rights'), states: answer('states'), prune: answer('prune') } as never;
  const presence = new AnnouncePresence(lastSeen, POLICY);
  const heartbeats = new RecordHeartbeat(lastSeen, POLICY, { flushed: () => undefined }, () => 0.5);
  const pruning = new PruneAgents(repository, { lifeSeconds: 604_800, recoverySeconds: 0 });
  const house = new AgentUpkeep(heartbeats, new AuthenticateAgent(repository, {} as never), presence, pruning);
  const day = async (): Promise<void> => {
    for (let second = 0; second < 1_200; second += 5) {
      await house.flush(at(second));
      await house.rights(at(second));
      await house.listener(at(second));
      await house.announce(at(second));
    }
    await house.prune(at(1_200));
  };
  return { house, heartbeats, asked, written, day, presence };
}
const open = { isOpen: true, port: 1, refresh: () => Promise.resolve() };

it('with the port off nothing at all is asked', async () => {
  const { day, asked, written } = upkeep();
  await day();
  expect([asked, written]).toEqual([[], []]);
});

it('with the port open and nobody there, only whether somebody has come or gone', async () => {
  const { house, day, asked, written } = upkeep();
  house.serve(open);
  await day();
  expect([new Set(asked), written]).toEqual([new Set(['announce', 'prune']), []]);
});

it('is silent for the first threshold after its start, and after it could not look for a while', async () => {
  const { presence, asked } = upkeep();
  for (let second = 0; second < 120; second += 15) await presence.run(at(second));
  expect(asked).toEqual([]);
  await presence.run(at(120));
  expect(asked).toEqual(['announce']);
  await presence.run(at(300));
  await presence.run(at(315));
  expect(asked).toEqual(['announce']);
  for (let second = 330; second <= 420; second += 15) await presence.run(at(second));
  expect(asked).toEqual(['announce', 'announce']);
});

it('tells agents to come back over as many seconds as their number wants', async () => {
  const { heartbeats, written } = upkeep();
  const one = { tenantId: 1, serial: '1', labels: [], shouldRenew: false };
  const spreads = [1, 2_000, 30_000].map((many) => {
    let spread = 0;
    for (let n = 0; n < many; n++) {
      spread = heartbeats.run({ ...one, agentId: `agent-${n}` }, undefined, at(0)).reconnectSpreadSeconds;
    }
    return spread;
  });
  expect(spreads).toEqual([30, 30, 100]);
  await heartbeats.flush(at(1));
  expect(written.map((beats) => beats.length)).toEqual([5_000, 5_000, 5_000, 5_000, 5_000, 5_000]);
});
