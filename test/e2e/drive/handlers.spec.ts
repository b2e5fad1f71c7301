// Each handler of Drive jobs, run twice, with the answer of each of its changes lost, and killed after each of its calls (of
// Drive, the catalogue, the index, the queue): what is there at the end is always the same. DRIVE_CUTS=all tries every call
// and every change; otherwise a few of each scene, other ones for each.
import type { ClaimedJob, JobType } from '../../../src/drive-sync/domain/job';
import { OutboxRelay } from '../../../src/platform/outbox/outbox-relay';
import { systemActor } from '../../../src/kernel/actor';
import type { Client } from '../../support/app';
import { oursOf, theirsOf, twinsIn } from '../../support/drive/both-sides';
import { ConnectedHouse } from '../../support/drive/connected-house';
import { MortalWorker } from '../../support/drive/mortal-worker';

const CHANGES = /^(POST|PATCH|DELETE) .*drive\/v3\/files/;
const LONGEST = 80;
const ALL = process.env.DRIVE_CUTS === 'all';
if (ALL) jest.setTimeout(600_000);

let is: ConnectedHouse;
let alice: Client;
let helper: MortalWorker;
let project: string;
let task: string;
let serial = 0;

beforeAll(async () => {
  is = await ConnectedHouse.open();
  alice = await is.manager();
  expect(await is.connect()).toBe(200);
  await is.rest();
  await is.stopWorker();
  helper = new MortalWorker(is.house.app, 'helper');
  [project, task] = await made('Main', 'Tasks');
  await made('Other', 'More');
  await drain();
});
afterAll(() => is.close());

async function made(name: string, taskName: string): Promise<[string, string]> {
  const { id } = (await alice.post('/api/1.0/projects', { name }).expect(201)).body as { id: string };
  return [id, await newTask(id, taskName)];
}
async function newTask(projectId: string, name: string): Promise<string> {
  return (await alice.post(`/api/1.0/projects/${projectId}/tasks`, { name }).expect(201)).body.id as string;
}
const home = (path = 'Main/Tasks') => is.folder(`Horarium/${path}`.replace(/\/$/, ''));
const put = (name: string, path?: string) =>
  is.drive.files.create(
    is.drive.space(),
    { name, mimeType: 'text/plain', parents: [home(path).id] },
    Buffer.from(name),
  );

interface Scene {
  readonly type: JobType;
  /** Makes what the job is about; the changes that it causes are worked off before the act. */
  readonly before?: (name: string) => Promise<string> | string;
  readonly act: (name: string, made: string) => unknown;
  /** What both sides have at the end, and what neither has. */
  readonly then: (name: string) => readonly string[];
  readonly gone?: (name: string) => readonly string[];
}

const uploaded = (name: string) => is.upload(task, project, name, name);
const putAndKnown = (name: string) => put(name).id;
const theirFile = (id: string) => is.drive.files.files.get(id)!;

const SCENES: readonly (readonly [string, Scene])[] = [
  [
    'a task begins',
    { type: 'CREATE_FOLDER', act: (name) => newTask(project, name), then: (name) => [`Main/${name}/`] },
  ],
  [
    'a project begins',
    { type: 'INIT_PROJECT_FOLDERS', act: (name) => made(name, 'T'), then: (name) => [`${name}/`, `${name}/T/`] },
  ],
  [
    'a task is renamed here',
    {
      type: 'RENAME_FOLDER',
      before: (name) => newTask(project, `old ${name}`),
      act: (name, id) => alice.patch(`/api/1.0/project-tasks/${id}`, { name }).expect(200),
      then: (name) => [`Main/${name}/`],
      gone: (name) => [`Main/old ${name}/`],
    },
  ],
  [
    'a folder is renamed there',
    {
      type: 'RENAME_FOLDER',
      before: (name) => newTask(project, `old ${name}`),
      act: (name) => is.drive.files.update(home(`Main/old ${name}`), { name }),
      then: (name) => [`Main/${name}/`],
    },
  ],
  ['evidence is added', { type: 'RECONCILE_TASK_FOLDER', act: uploaded, then: (name) => [`Main/Tasks/${name}`] }],
  [
    'evidence is changed',
    {
      type: 'RECONCILE_TASK_FOLDER',
      before: uploaded,
      act: async (name, id) => {
        await is.rewrite(id, `${name} again`);
        await alice.patch(`/api/1.0/evidence/${id}`, { name: `new ${name}`, task_id: null }).expect(200);
      },
      then: (name) => [`Main/new ${name}`],
      gone: (name) => [`Main/Tasks/${name}`],
    },
  ],
  [
    'a task with evidence ends',
    {
      type: 'RECONCILE_TASK_FOLDER',
      before: async (name) => {
        const id = await newTask(project, name);
        await is.upload(id, project, `1 ${name}`, 'one');
        await is.upload(id, project, `2 ${name}`, 'two');
        return id;
      },
      act: (_, id) => alice.delete(`/api/1.0/project-tasks/${id}`).expect(200),
      then: (name) => [`Main/1 ${name}`, `Main/2 ${name}`],
      gone: (name) => [`Main/${name}/`],
    },
  ],
  [
    'evidence is deleted',
    {
      type: 'ARCHIVE_DRIVE_FILE',
      before: uploaded,
      act: (_, id) => alice.delete(`/api/1.0/evidence/${id}`).expect(200),
      then: () => [],
      gone: (name) => [`Main/Tasks/${name}`],
    },
  ],
  [
    'a file is put there',
    { type: 'IMPORT_DRIVE_FILE', act: (name) => put(name), then: (name) => [`Main/Tasks/${name}`] },
  ],
  [
    'a file is changed there',
    {
      type: 'IMPORT_DRIVE_FILE',
      before: putAndKnown,
      act: (name, id) => {
        is.drive.files.write(theirFile(id), Buffer.from(`${name} again`));
        is.drive.files.update(theirFile(id), { name: `new ${name}`, addParents: home('Main').id });
      },
      then: (name) => [`Main/new ${name}`],
      gone: (name) => [`Main/Tasks/${name}`],
    },
  ],
  [
    'a file is moved to another project',
    {
      type: 'IMPORT_DRIVE_FILE',
      before: putAndKnown,
      act: (_, id) => is.drive.files.update(theirFile(id), { addParents: home('Other/More').id }),
      then: (name) => [`Other/More/${name}`],
      gone: (name) => [`Main/Tasks/${name}`],
    },
  ],
  [
    'a file is thrown away',
    {
      type: 'SOFT_DELETE_EVIDENCE',
      before: putAndKnown,
      act: (_, id) => is.drive.files.update(theirFile(id), { trashed: true }),
      then: () => [],
      gone: (name) => [`Main/Tasks/${name}`],
    },
  ],
  [
    'a folder is deleted for good',
    {
      type: 'CREATE_FOLDER',
      before: async (name) => {
        const id = await newTask(project, name);
        await is.upload(id, project, `in ${name}`, 'x');
        return id;
      },
      act: (name) => is.drive.files.remove(home(`Main/${name}`)),
      then: (name) => [`Main/${name}/`],
      gone: (name) => [`Main/${name}/in ${name}`],
    },
  ],
  [
    'several things happen',
    {
      type: 'PROCESS_DRIVE_CHANGES',
      before: putAndKnown,
      act: (name, id) => {
        is.drive.files.update(theirFile(id), { name: `new ${name}` });
        put(`2 ${name}`);
        put(`3 ${name}`, 'Other/More');
      },
      then: (name) => [`Main/Tasks/new ${name}`, `Main/Tasks/2 ${name}`, `Other/More/3 ${name}`],
    },
  ],
];

/** Works everything off, one job after another. The first job of `type` is the victim's, if there is one. */
async function drain(type?: JobType, victim?: MortalWorker): Promise<ClaimedJob | undefined> {
  let first: ClaimedJob | undefined;
  for (let quiet = 0; quiet < 1;) {
    await is.drive.channels.idle();
    await is.house.app.get(OutboxRelay).run(new Date());
    await is.hurry();
    const { types } = helper.handlers;
    const order = { owner: 'helper', leaseSeconds: 30, limit: 1, types, now: new Date() };
    const claimed = await helper.queue.claim(order);
    for (const job of claimed) {
      const its = job.type === type && first === undefined;
      if (its) first = job;
      await (its && victim !== undefined ? victim : helper).jobs
        .run(job, new AbortController().signal)
        .catch(() => undefined);
      if (victim?.dead === true && its) {
        await is.bury('helper');
        await helper.queue.recover(new Date());
      }
    }
    quiet = claimed.length > 0 || (await is.busy()) ? 0 : quiet + 1;
  }
  return first;
}

async function begin({ before, act }: Scene): Promise<string> {
  const name = `n${++serial}`;
  const id = await before?.(name);
  if (before !== undefined) await drain();
  await act(name, id ?? '');
  return name;
}

async function expectSame(scene: Scene, name: string, how: string): Promise<void> {
  const ours = await oursOf(is.house.database, 1);
  const theirs = theirsOf(is.drive, home('').id);
  expect({ how, sides: theirs }).toEqual({ how, sides: ours });
  expect({ how, twins: twinsIn(is.drive, is.drive.space()) }).toEqual({ how, twins: [] });
  const paths = ours.map((line) => line.replace(/ [0-9a-f]{12}$/, ''));
  const counts = (of: readonly string[]) => of.map((path) => [path, paths.filter((one) => one === path).length]);
  expect({ how, there: counts(scene.then(name)) }).toEqual({ how, there: scene.then(name).map((path) => [path, 1]) });
  const gone = scene.gone?.(name) ?? [];
  expect({ how, gone: counts(gone) }).toEqual({ how, gone: gone.map((path) => [path, 0]) });
}

describe.each(SCENES.map(([title, scene], nr) => ({ title, scene, nr })))('$title', ({ scene, nr }) => {
  it('once, and the same job again: nothing more is changed', async () => {
    const name = await begin(scene);
    const job = await drain(scene.type);
    await expectSame(scene, name, 'once');
    const before = is.drive.count(CHANGES);
    const imports = is.drive.downloads();
    const { type, payload, tenantId } = job!;
    await helper.queue.enqueue(systemActor('test'), [{ tenantId, type: type as JobType, payload }], new Date());
    await drain();
    await expectSame(scene, name, 'twice');
    expect({ changes: is.drive.count(CHANGES), imports: is.drive.downloads() }).toEqual({ changes: before, imports });
  });

  it('with the answer of any change lost', async () => {
    for (let skip = 0; skip < LONGEST; skip++) {
      const name = await begin(scene);
      is.drive.faults.plan(CHANGES, { kind: 'reset-after' }, 1, skip);
      await drain(scene.type);
      const none = is.drive.faults.unmet > 0;
      is.drive.faults.clear();
      await expectSame(scene, name, `the answer to change ${skip + 1} is lost`);
      if (none || !ALL) return;
    }
    throw new Error('it never ends');
  });

  it('killed after any of its calls', async () => {
    for (let calls = ALL ? 1 : 3 + (nr % 5); calls < LONGEST; calls += ALL ? 1 : 5) {
      const name = await begin(scene);
      const victim = new MortalWorker(is.house.app, 'victim');
      victim.dieAfter(calls);
      await drain(scene.type, victim);
      await expectSame(scene, name, `killed after call ${calls}`);
      if (!victim.dead || (!ALL && calls > 9)) return;
    }
    throw new Error('it never ends');
  });
});
