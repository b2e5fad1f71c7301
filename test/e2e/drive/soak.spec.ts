// Two tenants, people on both sides who edit at random, a Drive that fails now and then and loses, doubles and delays its
// messages, workers that are killed. At rest both sides are the same. A longer one: npm run soak:drive.
import { oursOf, theirsOf, theirsRootOf, twinsIn } from '../../support/drive/both-sides';
import { ConnectedHouse } from '../../support/drive/connected-house';
import type { Delivery } from '../../support/drive/emulated-channels';
import { seeded } from '../../support/drive/emulated-faults';
import { MortalWorker } from '../../support/drive/mortal-worker';
import { RandomEdits } from '../../support/drive/random-edits';
import { timePasses } from '../../support/drive/time-passes';

const EDITS = Number(process.env.DRIVE_SOAK_EDITS ?? 40);
const SEED = Number(process.env.DRIVE_SOAK_SEED ?? 1);
const DELIVERIES: readonly Delivery[] = ['deliver', 'deliver', 'deliver', 'lose', 'double', 'late'];
const ACCOUNTS = ['owner@example.com', 'second@example.com'];
jest.setTimeout(Math.max(120_000, EDITS * 4_000));

let is: ConnectedHouse;
const random = seeded(SEED);
const crew = new Map<string, { worker: MortalWorker; end: Promise<void> }>();
let hired = 0;
let killed = 0;

beforeAll(async () => {
  is = await ConnectedHouse.open();
  await is.stopWorker();
});
afterAll(() => is.close());

function hire(): MortalWorker {
  const worker = new MortalWorker(is.house.app, `worker-${++hired}`);
  crew.set(worker.id, { worker, end: work(worker) });
  return worker;
}

/** As a process does: looks, works, looks again, until it is killed. */
async function work(worker: MortalWorker): Promise<void> {
  while (!worker.dead) {
    await worker.worker.run(new Date()).catch(() => undefined);
    await worker.worker.idle().catch(() => undefined);
    await timePasses(10);
  }
}

async function kill(id: string): Promise<void> {
  const member = crew.get(id);
  crew.delete(id);
  member?.worker.die();
  await member?.end;
  await is.bury(id);
  killed += 1;
}

it(`${EDITS} edits, seed ${SEED}: at rest both sides are the same`, async () => {
  await is.house.tenant('Second');
  const first = hire();
  const people: RandomEdits[] = [];
  for (const [nr, account] of ACCOUNTS.entries()) {
    expect(await is.connect(nr + 1, account)).toBe(200);
    const alice = await is.manager(nr + 1);
    people.push(new RandomEdits(is, alice, nr + 1, is.drive.space(account), random));
    await people[nr]!.begin();
  }
  await is.rest(first.worker);
  hire();
  is.drive.faults.rain(0.04, random);
  is.drive.channels.delivery = () => DELIVERIES[Math.floor(random() * DELIVERIES.length)]!;

  for (let nr = 1; nr <= EDITS; nr++) {
    await people[Math.floor(random() * people.length)]!.one();
    if (nr % 10 === 0) await is.hurry();
    if (nr % 17 === 0) await is.drive.channels.releaseLate();
    if (nr % 20 === 0) {
      await kill([...crew.keys()][Math.floor(random() * crew.size)]!);
      hire();
    }
    // Some edits come while the one before is being worked on, some after.
    if (random() < 0.5) await timePasses(random() * 60);
  }
  for (const id of [...crew.keys()]) await kill(id);
  const met = Object.fromEntries(is.drive.faults.met);
  is.drive.faults.clear();
  is.drive.channels.delivery = () => 'deliver';
  await is.drive.channels.releaseLate();
  // What no message told of is found by the poll.
  await is.house.database.admin.query(
    `update tenant_drive_integrations set last_sync_at = now() - interval '11 minutes'`,
  );
  const last = new MortalWorker(is.house.app, 'last');
  await is.rest(last.worker);

  const sides = await Promise.all(
    ACCOUNTS.map(async (account, nr) => {
      const space = is.drive.space(account);
      const ours = await oursOf(is.house.database, nr + 1);
      return { ours, theirs: theirsOf(is.drive, theirsRootOf(is.drive, space)!), twins: twinsIn(is.drive, space) };
    }),
  );
  const doubled = await is.house.database.admin.query(
    'select drive_file_id from evidence where deleted_at is null group by tenant_id, drive_file_id having count(*) > 1',
  );
  if (EDITS > 40) {
    const edits = Object.fromEntries(
      people.flatMap(({ done, tenantId }) => [...done].map(([k, n]) => [`${tenantId} ${k}`, n])),
    );
    const jobs = await is.house.database.admin.query(
      'select job_type, status, count(*)::integer as n from drive_sync_jobs group by 1, 2 order by 1, 2',
    );
    const report = {
      seed: SEED,
      edits: EDITS,
      killed,
      met,
      lines: sides.map(({ ours }) => ours.length),
      edited: edits,
      jobs: jobs.rows,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  for (const { ours, theirs, twins } of sides) {
    expect(theirs).toEqual(ours);
    expect(twins).toEqual([]);
  }
  expect(doubled.rows).toEqual([]);
});
