import { Logger } from '@nestjs/common';
import { Heartbeat } from '../../src/platform/instances/heartbeat';
import { InstanceId } from '../../src/platform/instances/instance-id';
import { type InstanceCard, Instances } from '../../src/platform/instances/instances';
import { testDatabase, type TestDatabase } from '../support/database';

const CARD: InstanceCard = { host: 'here', pid: 7, dataFolder: '/data/a', version: '1.0.0' };

describe('instances', () => {
  let db: TestDatabase;
  let instances: Instances;
  let count = 0;
  let measured = 0;
  let elapsed = 0;
  const clock = {
    measure: () => {
      measured += 1;
      return Promise.resolve();
    },
  };
  const process = (card: Partial<InstanceCard> = {}) => {
    const instance = new InstanceId(() => `instance-${++count}`);
    return { instance, heartbeat: new Heartbeat(instances, instance, { ...CARD, ...card }, clock, () => elapsed) };
  };
  const state = async (id: string) => (await instances.list()).find((each) => each.id === id)?.state;
  const silence = (id: string, seconds: number) =>
    db.admin.query(`update instances set heartbeat_at = horarium_now() - make_interval(secs => $2) where id = $1`, [
      id,
      seconds,
    ]);

  beforeAll(async () => {
    db = await testDatabase();
    instances = new Instances(db.sessions);
  });
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    await db.admin.query('delete from instances');
    elapsed = 0;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => db.close());

  it('enters a process that starts, and takes it out when it stops', async () => {
    const { instance, heartbeat } = process();
    expect(await heartbeat.begin()).toEqual([]);
    expect(await instances.list()).toEqual([
      expect.objectContaining({ ...CARD, id: instance.id, state: 'alive', stoppedAt: null }),
    ]);
    await heartbeat.end();
    expect(await state(instance.id)).toBe('stopped');
  });

  it('calls a process silent that has missed its heartbeats, until it beats again', async () => {
    const { instance, heartbeat } = process();
    await heartbeat.begin();
    await silence(instance.id, 7);
    expect(await state(instance.id)).toBe('silent');
    measured = 0;
    await heartbeat.run(new Date());
    expect(await state(instance.id)).toBe('alive');
    expect(measured).toBe(1);
  });

  it('marks predecessors on its data folder as stopped, and nobody else', async () => {
    const dead = process();
    const elsewhere = process({ host: 'there' });
    const beside = process({ dataFolder: '/data/b' });
    for (const { heartbeat } of [dead, elsewhere, beside]) await heartbeat.begin();
    const next = process();
    expect(await next.heartbeat.begin()).toEqual([dead.instance.id]);
    expect(await state(dead.instance.id)).toBe('stopped');
    for (const { instance } of [elsewhere, beside, next]) expect(await state(instance.id)).toBe('alive');
  });

  it('joins again under a new id when it was declared dead, and leaves the old id dead', async () => {
    const { instance, heartbeat } = process();
    await heartbeat.begin();
    const before = instance.id;
    await instances.markStopped(before);
    await heartbeat.run(new Date());
    expect(instance.id).not.toBe(before);
    expect(await state(before)).toBe('stopped');
    expect(await state(instance.id)).toBe('alive');
  });

  it('is alone until its heartbeat sees another, also one that died a moment ago', async () => {
    const one = process();
    await one.heartbeat.begin();
    expect(one.instance.alone).toBe(false);
    await one.heartbeat.run(new Date());
    expect(one.instance.alone).toBe(true);
    const other = process({ host: 'there' });
    await other.heartbeat.begin();
    await silence(other.instance.id, 200);
    await one.heartbeat.run(new Date());
    expect(one.instance.alone).toBe(false);
    await other.heartbeat.end();
    await one.heartbeat.run(new Date());
    expect(one.instance.alone).toBe(true);
  });

  it('does not join again after it has stopped', async () => {
    const { instance, heartbeat } = process();
    await heartbeat.begin();
    await heartbeat.end();
    const before = instance.id;
    await heartbeat.run(new Date());
    expect(instance.id).toBe(before);
    expect(await instances.list()).toHaveLength(1);
  });

  it('knows for how long the database has not heard of it, also while heartbeats fail', async () => {
    const { heartbeat } = process();
    expect(heartbeat.silentForMs()).toBe(Infinity);
    await heartbeat.begin();
    elapsed = 3_000;
    const broken = jest.spyOn(instances, 'beat').mockRejectedValue(new Error('no database'));
    await expect(heartbeat.run(new Date())).rejects.toThrow('no database');
    expect(heartbeat.silentForMs()).toBe(3_000);
    broken.mockRestore();
    await heartbeat.run(new Date());
    expect(heartbeat.silentForMs()).toBe(0);
  });

  it('stops without the database', async () => {
    const { heartbeat } = process();
    await heartbeat.begin();
    jest.spyOn(instances, 'markStopped').mockRejectedValue(new Error('no database'));
    await expect(heartbeat.end()).resolves.toBeUndefined();
  });

  it('forgets processes that are long dead when another one starts', async () => {
    const old = process();
    await old.heartbeat.begin();
    await silence(old.instance.id, 31 * 86_400);
    await process({ host: 'there' }).heartbeat.begin();
    expect(await state(old.instance.id)).toBeUndefined();
  });
});
