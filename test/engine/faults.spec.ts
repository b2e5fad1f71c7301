// Classification runs under faults, with a real engine, real processes and a real database: what the row says in the end, and
// that nothing is left behind. The first file of a run is a shell script: the program.
import { execFileSync, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClassificationRun } from '../../src/evidence-classification/domain/classification-run';
import type { ModelDoor } from '../../src/evidence-classification/ports/model-door';
import { systemActor } from '../../src/kernel/actor';
import { testDatabase, type TestDatabase } from '../support/database';
import { Carrier, CarrierProcess, type CarrierParts, type CarrierSettings } from '../support/engine/carrier';
import { ContainerEngine, TEST_IMAGE } from '../support/engine/container-engine';

const ACTOR = systemActor('tests');
const root = mkdtempSync(join(tmpdir(), 'horarium-faults-'));
const mounted = new Set<string>();
const unmount = (path: string): void => {
  if (mounted.delete(path)) execFileSync('umount', ['-l', path]);
};
let engine: ContainerEngine;
let database: TestDatabase;

beforeAll(async () => {
  [engine, database] = await Promise.all([ContainerEngine.start(), testDatabase()]);
  // A process stands still in the middle of a change of state for as long as the test holds the lock of that state.
  await database.admin.query(`
    create function stand_still() returns trigger language plpgsql as $$ begin
      if new.status is distinct from old.status then
        perform pg_advisory_xact_lock_shared(4711, hashtext(new.status));
      end if;
      return new;
    end $$`);
  await database.admin.query(`create trigger stand_still before update on compliance.evidence_classification_runs
    for each row execute function stand_still()`);
}, 120_000);
afterAll(async () => {
  for (const path of mounted) unmount(path);
  await engine?.stop();
  await database?.close();
  rmSync(root, { recursive: true, force: true });
}, 60_000);

const OUT = 'OUT=${HORARIUM_OUT:-/out}\n';
const MANIFEST = `echo '{"version":1,"files":1}' > $OUT/manifest.new; mv $OUT/manifest.new $OUT/manifest.json\n`;
const DONE = '{"file":"evidence-1","state":"done","family":"AC","confidence":0.5,"words":["access"]}';
const WAITS = `${OUT}echo begun >> $OUT/begun; echo '${DONE}' >> $OUT/progress.ndjson
while [ ! -e $OUT/go ]; do sleep 0.05; done\n${MANIFEST}`;

type Runner = CarrierSettings['runner'];
const settingsOf = (runner: Runner, program: string, folder = root): CarrierSettings => ({
  owner: `carrier-${randomUUID()}`,
  runner,
  root: folder,
  engine: engine.address,
  program,
});
const carrierOf = (runner: Runner, program: string, parts: Partial<CarrierParts> & { folder?: string } = {}): Carrier =>
  new Carrier(settingsOf(runner, program, parts.folder), { sessions: database.sessions, ...parts });

async function queued({ image = TEST_IMAGE, files = 1 } = {}): Promise<string> {
  const id = `run-${randomUUID()}`;
  const run = {
    ...{
      id,
      tenantId: 1,
      projectId: `project-${id}`,
      status: 'queued',
      reason: null,
      detail: null,
      runner: null,
      image,
    },
    ...{
      totalFiles: files,
      doneFiles: 0,
      failedFiles: 0,
      deadlineAt: null,
      cancelRequestedAt: null,
      createdBy: 'tests',
    },
    ...{ createdAt: new Date(), startedAt: null, finishedAt: null },
  } satisfies ClassificationRun;
  const names = Array.from({ length: files }, (_, nr) => ({
    evidenceId: `evidence-${nr + 1}`,
    name: '../../x\n"$(id)"',
  }));
  await carrierOf('process', '').runs.add(ACTOR, run, names);
  return id;
}
const find = async (id: string): Promise<ClassificationRun> =>
  (await carrierOf('process', '').runs.find(ACTOR, id)) as ClassificationRun;
const out = (id: string, name = ''): string => join(root, id, 'out', name);

/** One that a carrier of this process takes to its end. */
async function carried(carrier: Carrier, id: string): Promise<ClassificationRun> {
  await carrier.carry.run(new Date());
  await carrier.carry.idle();
  expect(carrier.troubles).toEqual([]);
  return find(id);
}

/** Neither a container nor a database can wake us: they are looked at. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((again) => setTimeout(again, 40));
}
const stateIs = (id: string, status: string): Promise<void> => until(async () => (await find(id)).status === status);

async function holding(status: string): Promise<{ reached(): Promise<void>; release(): Promise<void> }> {
  await database.admin.query('select pg_advisory_lock(4711, hashtext($1))', [status]);
  const stands = async (): Promise<boolean> => {
    const { rowCount } = await database.admin.query(
      `select from pg_locks where locktype = 'advisory' and not granted and classid = 4711
          and database = (select oid from pg_database where datname = current_database())`,
    );
    return rowCount !== 0;
  };
  return {
    reached: () => until(stands),
    release: async () => {
      await database.admin.query('select pg_advisory_unlock(4711, hashtext($1))', [status]);
      await until(async () => !(await stands()));
    },
  };
}

describe.each(['docker', 'process'] as const)('a run with the %s runner', (runner) => {
  it('comes to its end, once, whenever its process is killed', async () => {
    const id = await queued();
    const next = (still = false): Promise<CarrierProcess> =>
      CarrierProcess.begin({ ...settingsOf(runner, WAITS), url: database.url, still });
    const stoodStill = async (status: string, before: () => Promise<void>): Promise<void> => {
      const hold = await holding(status);
      const carrier = await next();
      carrier.round();
      await before();
      await hold.reached();
      await carrier.kill();
      await hold.release();
    };

    await stoodStill('starting', () => Promise.resolve());
    expect((await find(id)).status).toBe('queued');

    const layingOut = await next(true);
    layingOut.round();
    await stateIs(id, 'starting');
    await layingOut.kill();

    await stoodStill('running', () => until(() => existsSync(out(id, 'begun'))));
    expect((await find(id)).status).toBe('starting');

    const following = await next();
    following.round();
    await until(async () => (await find(id)).doneFiles === 1);
    expect(await find(id)).toMatchObject({ status: 'running', runner });
    await following.kill();

    expect(readFileSync(out(id, 'begun'), 'utf8')).toBe('begun\n');
    writeFileSync(out(id, 'go'), '');
    await stoodStill('succeeded', () => Promise.resolve());
    expect((await find(id)).status).toBe('running');

    const last = carrierOf(runner, WAITS);
    expect(await carried(last, id)).toMatchObject({ status: 'succeeded', reason: null, doneFiles: 1, runner });
    expect(await last.runner.state(id)).toBe('absent');
    expect(existsSync(join(root, id))).toBe(false);
  }, 180_000);

  it('is cancelled while it is queued, starts, or runs', async () => {
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((open) => (goOn = open));
    const slow = async function* (): AsyncIterable<Uint8Array> {
      await gate;
      yield Buffer.from(WAITS);
    };
    const cancel = (carrier: Carrier, id: string) => carrier.runs.requestCancel(ACTOR, id, new Date());

    const waiting = await queued();
    const carrier = carrierOf(runner, WAITS, { content: slow });
    expect(await cancel(carrier, waiting)).toMatchObject({ status: 'cancelled', reason: 'cancelled' });

    const starting = await queued();
    await carrier.carry.run(new Date());
    await stateIs(starting, 'starting');
    expect(await cancel(carrier, starting)).toMatchObject({ status: 'starting' });
    goOn();
    await carrier.carry.idle();
    expect(await find(starting)).toMatchObject({ status: 'cancelled', reason: 'cancelled' });

    const running = await queued();
    await carrier.carry.run(new Date());
    await until(async () => (await find(running)).doneFiles === 1);
    await cancel(carrier, running);
    await carrier.carry.idle();
    // What was done until then is kept.
    expect(await find(running)).toMatchObject({ status: 'cancelled', reason: 'cancelled', doneFiles: 1 });
    for (const id of [starting, running]) expect(await carrier.runner.state(id)).toBe('absent');
    expect(carrier.troubles).toEqual([]);
  }, 120_000);

  it('that hangs and does not hear is stopped at its deadline', async () => {
    const id = await queued();
    const carrier = carrierOf(runner, `trap "" TERM\n${WAITS}`);
    await carrier.carry.run(new Date());
    await until(() => existsSync(out(id, 'begun')));
    await database.admin.query(
      'update compliance.evidence_classification_runs set deadline_at = started_at where id = $1',
      [id],
    );
    await carrier.carry.idle();
    expect(await find(id)).toMatchObject({ status: 'failed', reason: 'timed_out' });
    expect(await carrier.runner.state(id)).toBe('absent');
  }, 120_000);

  it.each([
    ['crashes', `${OUT}${MANIFEST}echo how sad >&2; exit 3`, 'exit_code', /how sad/],
    ['forgets its manifest', 'exit 0', 'incomplete_result', null],
    ['leaves a link for a manifest', `${OUT}ln -s /in/job.json $OUT/manifest.json`, 'incomplete_result', null],
    [
      'leaves a pipe for its progress',
      `${OUT}mkfifo $OUT/progress.ndjson $OUT/manifest.json`,
      'incomplete_result',
      null,
    ],
    [
      'writes without end',
      `${OUT}head -c 70000000 /dev/zero > $OUT/much; while [ ! -e $OUT/go ]; do sleep 0.05; done`,
      'output_too_large',
      null,
    ],
  ])('that %s fails, and says why', async (_, program, reason, detail) => {
    const id = await queued();
    const run = await carried(carrierOf(runner, program), id);
    expect(run).toMatchObject({ status: 'failed', reason });
    if (detail !== null) expect(run.detail).toMatch(detail);
  });

  it('takes of what the program says what is said of a file that was given, and all of that', async () => {
    const id = await queued({ files: 2 });
    const lines = [
      `yes 0123456789abcde | head -c 1200000 > $OUT/progress.ndjson; echo >> $OUT/progress.ndjson`,
      `cat >> $OUT/progress.ndjson <<'X'`,
      'no JSON',
      '{"file":"evidence-9","state":"done","family":"AC"}',
      '{"file":"evidence-1","state":"done","family":"<script>"}',
      `{"file":"evidence-1","state":"done","family":"AC","confidence":7,"words":["a\\u0000b\\u001b[31m",5]}`,
      '{"file":"evidence-2","state":"failed","error":"\\u0007torn"}',
      'X',
      MANIFEST.replace('"files":1', '"files":2'),
    ];
    const carrier = carrierOf(runner, `${OUT}${lines.join('\n')}`);
    expect(await carried(carrier, id)).toMatchObject({ status: 'succeeded', doneFiles: 2, failedFiles: 1 });
    const none = { confidence: null, controlFamily: null };
    expect(await carrier.runs.files(ACTOR, id)).toMatchObject([
      { evidenceId: 'evidence-1', ...none, controlFamily: 'AC', words: ['a b [31m'], name: '../../x\n"$(id)"' },
      { evidenceId: 'evidence-2', ...none, state: 'failed', error: 'torn' },
    ]);
  });

  it('fails when the disk is full, its own or ours', async () => {
    const mount = (path: string): void => {
      mkdirSync(path, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=1777', 'horarium-test', path]);
      mounted.add(path);
    };
    const full = await queued();
    // The last that happens before the program starts.
    const door: ModelDoor = {
      open: (folder) => {
        mount(join(folder, '..', 'out'));
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    };
    const program = `${OUT}head -c 1000000 /dev/zero > $OUT/fill || exit 4\n${MANIFEST}`;
    const carrier = carrierOf(runner, program, { door });
    await carrier.carry.run(new Date());
    await carrier.carry.idle();
    expect(await find(full)).toMatchObject({ status: 'failed', reason: 'exit_code' });
    // In the words of busybox, and of everybody else.
    expect((await find(full)).detail).toMatch(/I\/O error|No space left/);
    // What is mounted cannot be removed by us, and nothing but that is in trouble. The reaper goes on with it.
    expect(carrier.troubles).toMatchObject([expect.stringContaining('EBUSY')]);
    unmount(out(full));
    await carrier.reaper.run(ACTOR, new Date(Date.now() + 240_000));
    expect(existsSync(join(root, full))).toBe(false);

    const folder = join(root, `small-${runner}`);
    mount(folder);
    const ours = await queued();
    const big = (): AsyncIterable<Uint8Array> =>
      (async function* () {
        yield await Promise.resolve(Buffer.alloc(1_000_000));
      })();
    const run = await carried(carrierOf(runner, '', { folder, content: big }), ours);
    expect(run).toMatchObject({ status: 'failed', reason: 'start_failed' });
    expect(run.detail).toMatch(/cannot be laid out.*ENOSPC/);
  });

  it('leaves nothing behind that no row knows of, once it is old enough', async () => {
    const stray = carrierOf(runner, WAITS);
    const [id, active] = [`run-${randomUUID()}`, await queued()];
    await stray.carry.run(new Date());
    await until(() => existsSync(out(active, 'begun')));
    const file = { evidenceId: 'evidence-1', name: 'x', mimeType: 'text/plain', content: bytes(WAITS) };
    await stray.folders.prepare(id, one(file));
    const deadlineAt = new Date('2030-01-01T00:00:00Z');
    await stray.runner.start({
      runId: id,
      tenantId: 1,
      image: TEST_IMAGE,
      folders: stray.folders.paths(id),
      deadlineAt,
    });
    const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
    await stray.reaper.run(ACTOR, minutes(1));
    expect(await stray.runner.state(id)).toBe('running');
    expect(await stray.reaper.run(ACTOR, minutes(4))).toBeGreaterThanOrEqual(1);
    expect(await stray.runner.state(id)).toBe('absent');
    expect(existsSync(join(root, id))).toBe(false);
    expect(await stray.runner.state(active)).toBe('running');
    writeFileSync(out(active, 'go'), '');
    await stray.carry.idle();
    expect(await find(active)).toMatchObject({ status: 'succeeded' });
  }, 120_000);
});

describe('a run', () => {
  it('is left alone while its owner lives, and for long by those who see nothing of it', async () => {
    const id = await queued();
    const { runs } = carrierOf('docker', '');
    const order = { limit: 1, leaseSeconds: 60, deadlineSeconds: 60 };
    await database.admin.query(`insert into instances (id, host, pid, version, started_at, heartbeat_at)
      values ('living', 'here', 1, '1', now(), now())`);
    expect(await runs.claim(ACTOR, { owner: 'living', place: 'here' }, order, new Date())).toHaveLength(1);
    const taken = (place: string) => runs.takeOver(ACTOR, { owner: 'next', place }, 1, 60);
    expect(await taken('here')).toEqual([]);
    await database.admin.query(`update instances set stopped_at = now() where id = 'living'`);
    expect(await taken('elsewhere')).toEqual([]);
    expect(await taken('here')).toMatchObject([{ id }]);
    await database.admin.query(
      `update compliance.evidence_classification_runs set lease_expires_at = now() - interval '11 minutes' where id = $1`,
      [id],
    );
    expect(await taken('elsewhere')).toMatchObject([{ id }]);
    await runs.finish(ACTOR, id, 'next', { status: 'failed', reason: 'engine_lost', detail: null }, new Date());
  });

  it('of an image that is not there fails, and nothing is pulled', async () => {
    const id = await queued({ image: 'horarium-none:1' });
    expect(await carried(carrierOf('docker', ''), id)).toMatchObject({ status: 'failed', reason: 'image_missing' });
  });

  it('of which a child was killed for memory fails, whatever it says itself', async () => {
    const id = await queued();
    const program = `${OUT}(head -c 200000000 /dev/zero | tail -c 190000000 | wc -c); ${MANIFEST}exit 0`;
    expect(await carried(carrierOf('docker', program), id)).toMatchObject({
      status: 'failed',
      reason: 'out_of_memory',
    });
  });

  it('that the stop of the engine ended says so, when the engine is back', async () => {
    const id = await queued();
    const carrier = carrierOf('docker', WAITS);
    await carrier.carry.run(new Date());
    await until(async () => (await find(id)).doneFiles === 1);
    await engine.end();
    await engine.begin();
    await carrier.carry.idle();
    expect(await find(id)).toMatchObject({ status: 'failed', reason: 'engine_stopped', doneFiles: 1 });
    expect(carrier.troubles).toEqual([]);
  }, 120_000);

  it('is queued while no engine answers, and lost when it does not come back', async () => {
    const id = await queued();
    const carrier = carrierOf('docker', WAITS);
    await carrier.carry.run(new Date());
    await until(async () => (await find(id)).doneFiles === 1);
    await engine.kill();
    const later = await queued();
    await database.admin.query(
      `update compliance.evidence_classification_runs set deadline_at = now() - interval '1 hour' where id = $1`,
      [id],
    );
    await carrier.carry.idle();
    const next = carrierOf('docker', WAITS);
    await next.carry.run(new Date());
    await next.carry.idle();
    expect(await find(id)).toMatchObject({ status: 'failed', reason: 'engine_lost', doneFiles: 1 });
    expect(await find(later)).toMatchObject({ status: 'queued' });
    await engine.begin();
    await next.runs.requestCancel(ACTOR, later, new Date());
  }, 120_000);
});

it('an engine of tests that are killed ends by itself, with all that runs on it', async () => {
  const program = join(__dirname, '..', 'support', 'engine', 'abandoned-engine.ts');
  const compiler = join(__dirname, '..', '..', 'scripts', 'swc-register.cjs');
  const child = fork(program, [], { execArgv: ['-r', compiler] });
  const [{ folder, pid }] = (await once(child, 'message')) as [{ folder: string; pid: number }];
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  child.kill('SIGKILL');
  await until(() => !existsSync(`/proc/${pid}`) && !existsSync(folder));
}, 120_000);

async function* one<T>(...items: T[]): AsyncIterable<T> {
  for (const item of items) yield await Promise.resolve(item);
}

function bytes(text: string): AsyncIterable<Uint8Array> {
  return one(Buffer.from(text));
}
