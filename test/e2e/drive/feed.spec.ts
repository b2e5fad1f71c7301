// Google Drive, what asks for more than one call: a feed of several pages, uploads in pieces, shared drives, messages while
// the database is away; and the operator's commands.
import { type Horarium, horarium } from '../../support/cli';
import type { Client } from '../../support/app';
import { DatabaseProxy } from '../../support/database-proxy';
import { ConnectedHouse } from '../../support/drive/connected-house';
import type { Fault } from '../../support/drive/emulated-faults';
import { MortalWorker } from '../../support/drive/mortal-worker';
import { systemActor } from '../../../src/kernel/actor';
import { processChanges } from '../../../src/drive-sync/domain/jobs';

const MIB = 1024 * 1024;
const PAGES = /^GET \/drive\/v3\/changes$/;

let is: ConnectedHouse;
let proxy: DatabaseProxy;
let alice: Client;
let worker: MortalWorker;
let projectId: string;
let taskId: string;
beforeAll(async () => {
  is = await ConnectedHouse.open({}, async (url) => (proxy = await DatabaseProxy.before(url)).url(url));
  // Who works on jobs, and when, is said here.
  await is.stopWorker();
  worker = new MortalWorker(is.house.app, 'worker');
  alice = await is.manager();
  expect(await is.connect()).toBe(200);
  projectId = (await alice.post('/api/1.0/projects', { name: 'Audit' }).expect(201)).body.id as string;
  taskId = (await alice.post(`/api/1.0/projects/${projectId}/tasks`, { name: 'Doors' }).expect(201)).body.id as string;
  await is.rest(worker.worker);
});
afterAll(async () => {
  await is.close();
  await proxy.close();
});

const rest = () => is.rest(worker.worker);
const home = () => is.folder('Horarium/Audit/Doors').id;
const put = (name: string, parents = [home()], space = is.drive.space()) =>
  is.drive.files.create(space, { name, mimeType: 'text/plain', parents }, Buffer.from(name));
async function evidence(tenant = alice): Promise<string[]> {
  const { body } = await tenant.get('/api/1.0/evidence?limit=200').expect(200);
  return (body as { name: string }[]).map(({ name }) => name).sort();
}
async function stored(): Promise<string> {
  const { rows } = await is.house.database.admin.query<{ page_token: string }>(
    'select page_token from tenant_drive_integrations where tenant_id = 1',
  );
  return rows[0]!.page_token;
}

describe('a feed of several pages', () => {
  const NAMES = Array.from({ length: 7 }, (_, nr) => `page ${nr}.txt`);
  async function claim(owner: string) {
    const { types } = worker.handlers;
    const order = { owner, leaseSeconds: 30, limit: 1, types, now: new Date() };
    return (await worker.queue.claim(order))[0];
  }

  it.each([
    ['after the effects of its second page are queued, before its token is stored,', 'enqueue', 2],
    ['after the token of its second page is stored', 'saveToken', 1],
  ])('cut off %s goes on from the token that is stored, and misses and doubles nothing', async (_, call, left) => {
    is.drive.api.largestPage = 3;
    is.drive.channels.delivery = () => 'lose';
    const before = await stored();
    const names = NAMES.map((name) => `${call} ${name}`);
    for (const name of names) put(name);
    const victim = new MortalWorker(is.house.app, `cut at ${call}`);
    await victim.queue.enqueue(systemActor('test'), [processChanges(1)], new Date());
    victim.dieOf(call, 2);
    const job = await claim(victim.id);
    expect(job).toMatchObject({ type: 'PROCESS_DRIVE_CHANGES' });
    await expect(victim.jobs.run(job!, new AbortController().signal)).rejects.toThrow('dead');
    const cut = await stored();
    expect(cut).not.toBe(before);
    const read = is.drive.count(PAGES);
    const downloads = is.drive.downloads();
    await is.bury(victim.id);
    await worker.queue.recover(new Date());
    await is.hurry();
    const again = await claim(worker.id);
    expect(again!.id).toBe(job!.id);
    await worker.jobs.run(again!, new AbortController().signal);
    expect(is.drive.count(PAGES) - read).toBe(left);
    const { rows } = await is.house.database.admin.query(
      `select count(*)::integer as jobs from drive_sync_jobs where status = 'PENDING' and job_type = 'IMPORT_DRIVE_FILE'`,
    );
    expect(rows).toEqual([{ jobs: 7 }]);
    await rest();
    expect((await evidence()).filter((name) => name.startsWith(call))).toEqual(names);
    expect(is.drive.downloads() - downloads).toBe(7);
    is.drive.api.largestPage = 1_000;
    is.drive.channels.delivery = () => 'deliver';
  });
});

describe('an upload in pieces', () => {
  const PIECES = /^PUT \/upload\/drive\/v3\/files/;
  const cuts: readonly (readonly [string, Fault])[] = [
    ['a reset before a piece has arrived', { kind: 'reset-before' }],
    ['a reset after a piece has arrived', { kind: 'reset-after' }],
    ['a server that is away for a moment', { kind: 'answer', status: 503 }],
  ];
  /** Two pieces: 8 MiB and the rest. */
  const big = (name: string) => name.padEnd(8 * MIB + 1_000, '.');
  const isThere = (name: string, text = big(name)) =>
    is.folder(`Horarium/Audit/Doors/${name}`).content?.equals(Buffer.from(text));
  const uploads = () => is.drive.count(/^POST \/upload\/drive\/v3\/files/);

  it.each(cuts)('goes on after %s, in the middle and at the end', async (title, fault) => {
    const name = `${title}.bin`;
    const begun = uploads();
    // The first piece, the question what of it has arrived, and after the next question the next piece.
    is.drive.faults.plan(PIECES, fault, 2);
    is.drive.faults.plan(PIECES, fault, 1, 1);
    await is.upload(taskId, projectId, name, big(name));
    await rest();
    expect(is.drive.faults.unmet).toBe(0);
    expect(isThere(name)).toBe(true);
    expect(is.names(home()).filter((one) => one === name)).toHaveLength(1);
    expect(uploads() - begun).toBe(1);
  });

  it('sends again what Drive did not take of a piece', async () => {
    is.drive.api.largestPiece = 3 * MIB;
    await is.upload(taskId, projectId, 'partly.bin', big('partly.bin'));
    await rest();
    is.drive.api.largestPiece = Infinity;
    expect(isThere('partly.bin')).toBe(true);
  });

  it('begins anew, with the same id, when its session is lost; also with new content', async () => {
    const lost = { kind: 'answer', status: 404, reason: 'notFound' } as const;
    is.drive.faults.plan(PIECES, lost, 1, 1);
    const id = await is.upload(taskId, projectId, 'lost.bin', big('lost.bin'));
    await rest();
    const { id: fileId } = is.folder('Horarium/Audit/Doors/lost.bin');
    expect(isThere('lost.bin')).toBe(true);
    is.drive.faults.plan(PIECES, lost, 1, 1);
    await is.rewrite(id, big('found'));
    await rest();
    expect(is.folder('Horarium/Audit/Doors/lost.bin')).toMatchObject({ id: fileId });
    expect(isThere('lost.bin', big('found'))).toBe(true);
    expect(is.names(home()).filter((one) => one === 'lost.bin')).toHaveLength(1);
  });

  it('by an access token that is refused meanwhile does not end the connection', async () => {
    is.drive.faults.plan(/^POST \/upload/, { kind: 'answer', status: 401, reason: 'authError' });
    await is.upload(taskId, projectId, 'refused.bin', big('refused.bin'));
    await rest();
    expect((await alice.get('/api/1.0/integrations/google-drive/tenant')).body).toMatchObject({ status: 'CONNECTED' });
    expect(isThere('refused.bin')).toBe(true);
  });
});

describe('a message while the database is away', () => {
  const message = (state: string) => {
    const channel = [...is.drive.channels.channels.values()].filter((one) => is.drive.channels.live(one)).at(-1)!;
    return fetch(`${is.house.url}/api/1.0/webhooks/google-drive/1`, {
      method: 'POST',
      headers: {
        'X-Goog-Channel-ID': channel.id,
        'X-Goog-Resource-ID': channel.resourceId,
        'X-Goog-Channel-Token': channel.token!,
        'X-Goog-Resource-State': state,
      },
    });
  };

  it('is answered 503, since it is not stored, and 200 as soon as it is', async () => {
    is.drive.channels.delivery = () => 'lose';
    put('while away.txt');
    proxy.refuseNewLines(true);
    proxy.cutOpenLines();
    expect((await message('change')).status).toBe(503);
    expect((await message('sync')).status).toBe(503);
    proxy.refuseNewLines(false);
    // A line from before may be met again, and is given up.
    let status: number;
    do status = (await message('change')).status;
    while (status === 503);
    expect(status).toBe(200);
    const { rows } = await is.house.database.admin.query(
      `select status from drive_sync_jobs where job_type = 'PROCESS_DRIVE_CHANGES' order by id desc limit 1`,
    );
    expect(rows).toEqual([{ status: 'PENDING' }]);
    await rest();
    expect(await evidence()).toContain('while away.txt');
    is.drive.channels.delivery = () => 'deliver';
  });
});

describe('a shared drive', () => {
  it('is followed like another: folders, both directions, and its own channel', async () => {
    const second = await is.house.tenant('Second');
    const bob = await is.manager(second);
    is.drive.api.members.set('0AShared', new Set(['second@example.com']));
    const root = is.drive.files.rootOf('drive:0AShared');
    expect(await is.connect(second, 'second@example.com', '?drive_id=0AShared')).toBe(200);
    const project = (await bob.post('/api/1.0/projects', { name: 'Shared' }).expect(201)).body.id as string;
    const task = (await bob.post(`/api/1.0/projects/${project}/tasks`, { name: 'Keys' }).expect(201)).body.id as string;
    await is.upload(task, project, 'ours.txt', 'ours', second);
    await rest();
    expect(is.names(root)).toEqual(['Horarium/']);
    expect(is.names(is.drive.files.rootOf(is.drive.space('second@example.com')))).toEqual([]);
    const folder = is.folder('Horarium/Shared/Keys', 'drive:0AShared');
    expect(is.names(folder.id)).toEqual(['ours.txt']);
    put('theirs.txt', [folder.id], 'drive:0AShared');
    await rest();
    expect(await evidence(bob)).toEqual(['ours.txt', 'theirs.txt']);
    is.drive.files.update(is.folder('Horarium/Shared/Keys/ours.txt', 'drive:0AShared'), { trashed: true });
    await rest();
    expect(await evidence(bob)).toEqual(['theirs.txt']);
    const watched = [...is.drive.channels.channels.values()].filter(({ space }) => space === 'drive:0AShared');
    expect(watched).toHaveLength(1);
  });
});

describe('the operator’s commands', () => {
  let operator: Horarium;
  const json = async <T>(...argv: string[]): Promise<T> => {
    const { stdout, stderr, code } = await operator(...argv, '--json');
    expect([stderr, code]).toEqual(['', 0]);
    return JSON.parse(stdout) as T;
  };
  const said = async (...argv: string[]): Promise<string> => {
    const { stdout, stderr, code } = await operator(...argv);
    expect([stderr, code]).toEqual(['', 0]);
    return stdout;
  };
  interface Job {
    readonly uid: string;
    readonly status: string;
    readonly retry_count: number;
  }
  beforeAll(async () => {
    const token = await is.house.token('root', { roles: ['operator'] });
    operator = horarium({ HORARIUM_URL: is.house.url, HORARIUM_TOKEN: token, HORARIUM_DEFAULT_TIMEZONE: 'UTC' });
    is.drive.files.create(is.drive.space(), {
      name: 'Form',
      mimeType: 'application/vnd.google-apps.form',
      parents: [home()],
    });
    await rest();
  });

  it('show the connection', async () => {
    expect(await said('drive', 'status')).toMatch(/CONNECTED[\s\S]*owner@example\.com[\s\S]*active[\s\S]*1 failed/);
    expect(await json('drive', 'status')).toMatchObject({ status: 'CONNECTED', jobs: { failed: 1, pending: 0 } });
  });

  it('count, list and show jobs, and try again what failed', async () => {
    expect(await said('drive', 'counts')).toMatch(/^0 pending, 0 in progress, \d+ success, 1 failed/);
    expect(await said('drive', 'jobs', '--status', 'FAILED')).toMatch(/IMPORT_DRIVE_FILE[\s\S]*no form/);
    const [failed] = await json<Job[]>('drive', 'jobs', '--status', 'FAILED', '--type', 'IMPORT_DRIVE_FILE');
    expect(await said('drive', 'job', failed!.uid)).toMatch(/FAILED[\s\S]*no form/);
    expect(await json('drive', 'retry', failed!.uid)).toMatchObject({ status: 'PENDING', retry_count: 0 });
    expect(await operator('drive', 'retry', failed!.uid)).toMatchObject({ code: 5, stdout: '' });
    await rest();
    expect(await json('drive', 'job', failed!.uid)).toMatchObject({ status: 'SUCCESS' });
  });

  it('cancel what waits, and refuse what is not there', async () => {
    await worker.queue.enqueue(systemActor('test'), [processChanges(1)], new Date());
    const [waiting] = await json<Job[]>('drive', 'jobs', '--status', 'PENDING');
    expect(await said('drive', 'cancel', waiting!.uid)).toMatch(/SKIPPED[\s\S]*Cancelled by root/);
    expect(await operator('drive', 'cancel', waiting!.uid)).toMatchObject({ code: 5 });
    expect(await operator('drive', 'job', '00000000-0000-4000-8000-000000000000')).toMatchObject({ code: 4 });
  });

  it('compare everything of every tenant, and tell how far it is', async () => {
    const asked = await said('drive', 'rebuild-all');
    expect(asked).toMatch(/^2 tenants; [1-9]\d* jobs queued, [1-9]\d* remain/);
    expect(await said('drive', 'rebuild-all')).toMatch(/^2 tenants; 0 jobs queued/);
    expect(await said('drive', 'rebuild-all', '--progress')).toMatch(/^2 tenants; [1-9]\d* jobs remain/);
    const before = is.drive.downloads();
    await rest();
    expect(await json('drive', 'rebuild-all', '--progress')).toMatchObject({ remaining: 0, tenants: [{}, {}] });
    expect(is.drive.downloads()).toBe(before);
  });

  it('renew and list channels', async () => {
    const renewed = await json<{ tenant_id: number; outcome: string }[]>('channels', 'renew');
    expect(renewed.map(({ tenant_id: tenant, outcome }) => [tenant, outcome])).toEqual([
      [1, 'renewed'],
      [2, 'renewed'],
    ]);
    const shared = [...is.drive.channels.channels.values()].filter(({ space }) => space === 'drive:0AShared');
    expect(shared.filter((one) => is.drive.channels.live(one))).toHaveLength(1);
    expect(await said('channels', 'list')).toMatch(/tenant +state[\s\S]*active[\s\S]*stopped/);
    is.drive.faults.plan(/POST .*changes\/watch/, { kind: 'answer', status: 400, reason: 'push.webhookUrlNotHttps' });
    const failed = await operator('channels', 'renew');
    expect([failed.code, failed.stdout]).toEqual([7, expect.stringMatching(/failed[\s\S]*webhookUrlNotHttps/)]);
  });
});
