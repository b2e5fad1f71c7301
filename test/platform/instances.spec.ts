import { Logger } from '@nestjs/common';
import { ownIdentity } from '../../src/platform/host/processes';
import { Heartbeat } from '../../src/platform/instances/heartbeat';
import { InstanceId } from '../../src/platform/instances/instance-id';
import { type InstanceCard, Instances } from '../../src/platform/instances/instances';
import { Sessions } from '../../src/platform/persistence/sessions';
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
  const process = (card: Partial<InstanceCard> = {}, of = instances) => {
    const instance = new InstanceId(() => `instance-${++count}`);
    const surroundings = {
      clock,
      monotonicMs: () => elapsed,
      isGone: (identity: unknown) => gone.get(identity) ?? null,
    };
    return { instance, heartbeat: new Heartbeat(of, instance, { ...CARD, ...card }, surroundings) };
  };
  /** What this machine knows of its processes. */
  const gone = new Map<unknown, boolean>();
  /** In contact for a whole lease: it may judge others. */
  const steady = async ({ heartbeat }: ReturnType<typeof process>) => {
    for (let beats = 0; beats < 32; beats++, elapsed += 2_000) await heartbeat.run(new Date());
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

  it('calls a process late that has missed its heartbeats, until it beats again', async () => {
    const { instance, heartbeat } = process();
    await heartbeat.begin();
    await silence(instance.id, 7);
    expect(await state(instance.id)).toBe('late');
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
    expect(await state(dead.instance.id)).toBe('replaced');
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
    expect(one.instance.alone).toBe(false);
    await db.admin.query("update instances set stopped_at = now() - interval '61 seconds' where id = $1", [
      other.instance.id,
    ]);
    await one.heartbeat.run(new Date());
    expect(one.instance.alone).toBe(true);
  });

  it('tells where a process of this machine, since this boot and in this container, keeps its files', async () => {
    const own = ownIdentity();
    const [here, rebooted, boxed, unknown] = [own, { ...own, boot: 'b' }, { ...own, namespace: 'n' }, {}].map(
      (identity) => process({ identity, dataFolder: '/data/of it' }),
    );
    const all = [here!, rebooted!, boxed!, unknown!];
    for (const { heartbeat } of all) await heartbeat.begin();
    const folders = await Promise.all(all.map(({ instance }) => instances.folderOf(instance.id)));
    expect(folders).toEqual(['/data/of it', null, null, null]);
    expect(await instances.folderOf('nobody')).toBeNull();
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

  describe('who is dead', () => {
    let judge: ReturnType<typeof process>;
    let other: ReturnType<typeof process>;
    let deaths: number;
    let theirs: Sessions;
    beforeEach(async () => {
      gone.clear();
      theirs = new Sessions(db.source);
      judge = process({ host: 'there' });
      other = process({ host: 'elsewhere' }, new Instances(theirs));
      await judge.heartbeat.begin();
      await other.heartbeat.begin();
      deaths = 0;
      judge.heartbeat.onDeath(() => (deaths += 1));
    });
    afterEach(() => theirs.hangUp());
    const judgement = async (silentForSeconds: number) => {
      await silence(other.instance.id, silentForSeconds);
      await judge.heartbeat.run(new Date());
      return state(other.instance.id);
    };

    it('one whose session is gone and whose heartbeat is older than 6 s has crashed, and the settlers are woken', async () => {
      await steady(judge);
      await theirs.hangUp();
      expect(await judgement(5)).toBe('alive');
      expect(await judgement(7)).toBe('crashed');
      expect(deaths).toBe(1);
    });

    it('one whose session is open is given a minute, and then silent', async () => {
      await steady(judge);
      expect(await judgement(59)).toBe('late');
      expect(await judgement(61)).toBe('silent');
    });

    it('nobody is judged by a process that has not been in contact for a whole lease', async () => {
      await theirs.hangUp();
      expect(await judgement(300)).toBe('late');
      await steady(judge);
      expect(await judgement(300)).toBe('silent');
    });

    it('a failed heartbeat, or a database that was started anew, begins the lease again', async () => {
      await steady(judge);
      jest.spyOn(instances, 'beat').mockRejectedValueOnce(new Error('no database'));
      await expect(judge.heartbeat.run(new Date())).rejects.toThrow('no database');
      expect(await judgement(300)).toBe('late');
      await other.heartbeat.run(new Date());
      await steady(judge);
      const beat = instances.beat.bind(instances);
      jest
        .spyOn(instances, 'beat')
        .mockImplementationOnce(async (id) => ({ ...(await beat(id))!, session: 'another' }));
      expect(await judgement(300)).toBe('late');
    });

    it('what the machine itself knows needs no lease: gone is crashed, and who is there has not crashed', async () => {
      const identity = { pid: 1 };
      jest.spyOn(instances, 'late').mockImplementation(async (id) => {
        const found = await Instances.prototype.late.call(instances, id);
        return found.map((each) => ({ ...each, identity }));
      });
      gone.set(identity, true);
      expect(await judgement(4)).toBe('crashed');
    });

    it('one that beats while it is judged stays alive', async () => {
      await steady(judge);
      await theirs.hangUp();
      await silence(other.instance.id, 70);
      jest.spyOn(instances, 'late').mockImplementation(async (id) => {
        const found = await Instances.prototype.late.call(instances, id);
        await other.heartbeat.run(new Date());
        return found;
      });
      await judge.heartbeat.run(new Date());
      expect(await state(other.instance.id)).toBe('alive');
      expect(deaths).toBe(0);
    });

    it('behind a pooler, where sessions are nobody’s own, a process is given a minute', async () => {
      await steady(judge);
      await theirs.hangUp();
      await db.admin.query('update instances set session_key = null where id = $1', [other.instance.id]);
      expect(await judgement(59)).toBe('late');
      expect(await judgement(61)).toBe('silent');
    });
  });

  it('without contact for 45 s it is cut off, says so once, and is not any more when it has contact again', async () => {
    const { heartbeat, instance } = process();
    await heartbeat.begin();
    let cuts = 0;
    heartbeat.onCutOff(() => (cuts += 1));
    const broken = jest.spyOn(instances, 'beat').mockRejectedValue(new Error('no database'));
    for (elapsed = 0; elapsed <= 60_000; elapsed += 2_000) await heartbeat.run(new Date()).catch(() => undefined);
    expect([cuts, instance.cutOff]).toEqual([1, true]);
    broken.mockRestore();
    await heartbeat.run(new Date());
    expect(instance.cutOff).toBe(false);
  });
});
