// Google Drive, end to end: the real client, an emulator of Drive, and the application as it runs.
import { FOLDER, SHORTCUT } from '../../support/drive/emulated-files';
import { ConnectedHouse } from '../../support/drive/connected-house';
import { expectProblem } from '../../support/http';
import type { Client } from '../../support/app';

const ROOT = '/api/1.0/integrations/google-drive';

let is: ConnectedHouse;
let alice: Client;
let projectId: string;
let taskId: string;
beforeAll(async () => {
  is = await ConnectedHouse.open();
  alice = await is.manager();
});
afterAll(() => is.close());

async function evidence(): Promise<{ id: string; name: string; source: string; task_id: string | null }[]> {
  const { body } = await alice.get(`/api/1.0/evidence?project_id=${projectId}&limit=200`).expect(200);
  return body as Awaited<ReturnType<typeof evidence>>;
}
async function named(name: string): Promise<string> {
  return (await evidence()).find((one) => one.name === name)!.id;
}
const put = (name: string, text: string, parents: string[], more = {}) =>
  is.drive.files.create(is.drive.space(), { name, mimeType: 'text/plain', parents, ...more }, Buffer.from(text));

describe('the connection', () => {
  it('is none at first, and says so', async () => {
    const { body } = await alice.get(`${ROOT}/tenant`).expect(200);
    expect(body).toMatchObject({ status: 'DISCONNECTED', account: null, channel: { state: 'none' } });
  });

  it('is a manager’s to make, and a consent is used once, by whom it was begun', async () => {
    const user = await is.house.as('bob', { roles: ['user'] });
    expect((await user.get(`${ROOT}/tenant/authorize`)).status).toBe(403);
    const lost = await alice.get(`${ROOT}/tenant/callback?state=unknown&code=x`);
    expectProblem(lost, { status: 422, code: 'drive-sync.consent-unknown', field: 'state' });
    const { body } = await alice.get(`${ROOT}/tenant/authorize`).expect(200);
    const url = new URL(body.url);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    const state = url.searchParams.get('state');
    const refused = await alice.get(`${ROOT}/tenant/callback?state=${state}&error=access_denied`);
    expectProblem(refused, { status: 403, code: 'drive-sync.consent-refused' });
    const again = await alice.get(`${ROOT}/tenant/callback?state=${state}&code=x`);
    expectProblem(again, { status: 422, code: 'drive-sync.consent-unknown', field: 'state' });
  });

  it('is refused when a box was unticked', async () => {
    is.drive.oauth.narrowedScope = 'https://www.googleapis.com/auth/userinfo.email';
    expect(await is.connect()).toBe(403);
    is.drive.oauth.narrowedScope = undefined;
  });

  it('is made, with a channel, a root folder, and no secret that could be read', async () => {
    expect(await is.connect()).toBe(200);
    await is.rest();
    const { body, text } = await alice.get(`${ROOT}/tenant`).expect(200);
    expect(body).toMatchObject({ status: 'CONNECTED', account: 'owner@example.com', channel: { state: 'active' } });
    expect(is.folder('Horarium').id).toBe(body.root_folder_id);
    const secret = is.drive.oauth.grants.at(-1)!.refreshToken;
    expect(text + is.house.log.join()).not.toContain(secret);
    const { rows } = await is.house.database.admin.query('select * from tenant_drive_integrations');
    expect(JSON.stringify(rows) + String(rows[0].refresh_token)).not.toContain(secret);
  });
});

describe('from Horarium to Drive', () => {
  it('projects and tasks become folders, evidence becomes files', async () => {
    projectId = (await alice.post('/api/1.0/projects', { name: 'Audit 2027' }).expect(201)).body.id;
    taskId = (await alice.post(`/api/1.0/projects/${projectId}/tasks`, { name: 'Access control' }).expect(201)).body.id;
    await is.upload(taskId, projectId, 'policy.txt', 'all doors are locked');
    await is.upload(null, projectId, 'readme.txt', 'read me');
    await is.rest();
    expect(is.names(is.folder('Horarium').id)).toEqual(['Audit 2027/']);
    expect(is.names(is.folder('Horarium/Audit 2027').id)).toEqual(['Access control/', 'readme.txt']);
    expect(is.folder('Horarium/Audit 2027/Access control/policy.txt').content?.toString()).toBe('all doors are locked');
  });

  it('renamed, moved, rewritten, deleted, restored', async () => {
    await alice.patch(`/api/1.0/projects/${projectId}`, { name: 'Audit' }).expect(200);
    await alice.patch(`/api/1.0/evidence/${await named('policy.txt')}`, { name: 'doors.txt' }).expect(200);
    await alice.patch(`/api/1.0/evidence/${await named('readme.txt')}`, { task_id: taskId }).expect(200);
    await is.rewrite(await named('readme.txt'), 'read me again');
    await is.rest();
    const folder = is.folder('Horarium/Audit/Access control');
    expect(is.names(folder.id)).toEqual(['doors.txt', 'readme.txt']);
    expect(is.folder('Horarium/Audit/Access control/readme.txt').content?.toString()).toBe('read me again');
    const id = await named('doors.txt');
    await alice.delete(`/api/1.0/evidence/${id}`).expect(200);
    await is.rest();
    expect(is.names(folder.id)).toEqual(['readme.txt']);
    await alice.post(`/api/1.0/evidence/${id}/restore`);
    await is.rest();
    expect(is.names(folder.id)).toEqual(['doors.txt', 'readme.txt']);
  });
});

describe('from Drive to Horarium', () => {
  const home = () => is.folder('Horarium/Audit/Access control').id;

  it('a file that people put there is evidence, once, without anybody pressing a button', async () => {
    put('scan.txt', 'scanned', [home()]);
    await is.rest();
    expect(await evidence()).toContainEqual(
      expect.objectContaining({ name: 'scan.txt', source: 'drive', task_id: taskId }),
    );
    const before = is.drive.downloads();
    await alice.post(`${ROOT}/tenant/rebuild-all`).expect(202);
    await is.rest();
    expect((await evidence()).filter(({ name }) => name === 'scan.txt')).toHaveLength(1);
    expect(is.drive.downloads()).toBe(before);
  });

  it('renamed, rewritten, trashed, restored, moved, deleted', async () => {
    const { files } = is.drive;
    const scan = is.folder('Horarium/Audit/Access control/scan.txt');
    files.update(scan, { name: 'scan 2.txt' });
    files.write(scan, Buffer.from('scanned again'));
    await is.rest();
    const id = await named('scan 2.txt');
    expect((await alice.get(`/api/1.0/evidence/${id}`)).body).toMatchObject({ size_bytes: 13 });
    files.update(scan, { trashed: true });
    await is.rest();
    expect((await evidence()).map(({ name }) => name)).not.toContain('scan 2.txt');
    files.update(scan, { trashed: false });
    await is.rest();
    expect(await named('scan 2.txt')).toBe(id);
    files.update(scan, { addParents: is.folder('Horarium/Audit').id });
    await is.rest();
    expect((await evidence()).find((one) => one.id === id)).toMatchObject({ task_id: null });
    files.remove(scan);
    await is.rest();
    expect((await evidence()).map((one) => one.id)).not.toContain(id);
  });

  it('native documents are exported, shortcuts followed, what cannot be had is said once', async () => {
    put('Plan', 'a plan', [home()], { mimeType: 'application/vnd.google-apps.document' });
    put('Form', '', [home()], { mimeType: 'application/vnd.google-apps.form' });
    const target = put('target.txt', 'elsewhere', [is.drive.files.rootOf(is.drive.space())]);
    put('link.txt', '', [home()], { mimeType: SHORTCUT, shortcutDetails: { targetId: target.id } });
    await is.rest();
    const names = (await evidence()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Plan.pdf', 'link.txt']));
    expect(names.join()).not.toContain('Form');
    const { body } = await alice.get(`${ROOT}/jobs?status=FAILED`).expect(200);
    expect(body).toEqual([
      expect.objectContaining({ job_type: 'IMPORT_DRIVE_FILE', last_error: expect.stringMatching(/no form/) }),
    ]);
    await alice.post(`${ROOT}/tenant/rebuild-all`).expect(202);
    await is.rest();
    expect((await alice.get(`${ROOT}/jobs?status=FAILED`)).body).toHaveLength(1);
    is.drive.files.write(target, Buffer.from('changed elsewhere'));
    await is.rest();
    expect((await alice.get(`/api/1.0/evidence/${await named('link.txt')}`)).body).toMatchObject({ size_bytes: 17 });
  });

  it('our folders come back when they are thrown away, moved or deleted; a new name is taken over', async () => {
    const { files } = is.drive;
    files.update(is.folder('Horarium/Audit/Access control'), { trashed: true });
    await is.rest();
    expect(is.names(home())).toContain('readme.txt');
    files.update(is.folder('Horarium/Audit/Access control'), { addParents: files.rootOf(is.drive.space()) });
    await is.rest();
    expect(is.names(home())).toContain('readme.txt');
    files.update(is.folder('Horarium/Audit'), { name: 'Audit of 2027' });
    await is.rest();
    expect((await alice.get(`/api/1.0/projects/${projectId}`)).body).toMatchObject({ name: 'Audit of 2027' });
    files.update(is.folder('Horarium/Audit of 2027'), { name: 'Audit' });
    await is.rest();
    const twins = [...files.files.values()].filter(
      ({ mimeType, appProperties }) => mimeType === FOLDER && appProperties.horarium,
    );
    expect(new Set(twins.map(({ appProperties }) => appProperties.horarium)).size).toBe(twins.length);
  });
});

describe('when things go wrong', () => {
  it('an answer that is lost after the work makes no second file or folder', async () => {
    is.drive.faults.plan(/POST \/(upload\/)?drive\/v3\/files/, { kind: 'reset-after' }, 2);
    const id = (await alice.post(`/api/1.0/projects/${projectId}/tasks`, { name: 'Backups' }).expect(201)).body.id;
    await is.upload(id, projectId, 'backup.txt', 'daily');
    await is.rest();
    expect(is.names(is.folder('Horarium/Audit/Backups').id)).toEqual(['backup.txt']);
    expect(is.names(is.folder('Horarium/Audit').id).filter((name) => name === 'Backups/')).toHaveLength(1);
  });

  it('a rate limit slows the connection, and nothing is lost', async () => {
    const fault = { kind: 'answer', status: 403, reason: 'userRateLimitExceeded' } as const;
    is.drive.faults.plan(/GET \/drive\/v3\/files\//, fault, 3);
    put('limited.txt', 'x', [is.folder('Horarium/Audit/Backups').id]);
    await is.rest();
    expect(await named('limited.txt')).toBeDefined();
  });

  it('lost messages are made up for by the poll; an invalid token by a comparison that imports nothing twice', async () => {
    is.drive.channels.delivery = () => 'lose';
    put('silent.txt', 'x', [is.folder('Horarium/Audit/Backups').id]);
    await is.house.database.admin.query(
      `update tenant_drive_integrations set last_sync_at = now() - interval '11 minutes'`,
    );
    await is.rest();
    expect(await named('silent.txt')).toBeDefined();
    const count = (await evidence()).length;
    await is.house.database.admin.query(
      `update tenant_drive_integrations set page_token = 'nonsense', last_sync_at = now() - interval '11 minutes'`,
    );
    put('missed.txt', 'x', [is.folder('Horarium/Audit/Backups').id]);
    await is.rest();
    is.drive.channels.delivery = () => 'deliver';
    expect((await evidence()).map(({ name }) => name)).toContain('missed.txt');
    expect(await evidence()).toHaveLength(count + 1);
  });

  it('an access token that ended is refreshed once; a revoked grant parks the jobs until a person connects again', async () => {
    is.drive.oauth.dropAccess();
    put('after.txt', 'x', [is.folder('Horarium/Audit/Backups').id]);
    await is.rest();
    expect(await named('after.txt')).toBeDefined();
    is.drive.oauth.revokeAccount('owner@example.com');
    put('parked.txt', 'x', [is.folder('Horarium/Audit/Backups').id]);
    await is.rest();
    const { body } = await alice.get(`${ROOT}/tenant`);
    expect(body).toMatchObject({ status: 'NEEDS_RECONNECT', jobs: { pending: expect.any(Number) } });
    expect(body.jobs.pending).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain(is.drive.oauth.grants.at(-1)!.refreshToken);
    expect(await is.connect()).toBe(200);
    await is.rest();
    expect(await named('parked.txt')).toBeDefined();
  });
});

describe('messages', () => {
  const send = (headers: Record<string, string>, tenant: number | string = 1, body?: string | FormData | Buffer) =>
    fetch(`${is.house.url}/api/1.0/webhooks/google-drive/${tenant}`, { method: 'POST', headers, body });
  const known = () => {
    const channel = [...is.drive.channels.channels.values()].filter((one) => is.drive.channels.live(one)).at(-1)!;
    return {
      'X-Goog-Channel-ID': channel.id,
      'X-Goog-Resource-ID': channel.resourceId,
      'X-Goog-Channel-Token': channel.token!,
      'X-Goog-Resource-State': 'change',
    };
  };

  it('are taken with the channel’s id, token and resource, and with nothing less', async () => {
    expect((await send(known())).status).toBe(200);
    expect((await send({ ...known(), 'X-Goog-Resource-State': 'something' })).status).toBe(200);
    expect((await send({ ...known(), 'X-Goog-Channel-Token': 'guess' })).status).toBe(404);
    expect((await send({ ...known(), 'X-Goog-Resource-ID': 'other' })).status).toBe(404);
    expect((await send(known(), 2)).status).toBe(404);
    expect((await send(known(), 'x')).status).toBe(404);
    expect((await send({})).status).toBe(404);
  });

  it('may have any body, which is not read', async () => {
    const form = new FormData();
    form.set('file', new Blob(['x']), 'x.txt');
    const bodies: [string | undefined, string | FormData | Buffer][] = [
      ['application/json', '{"no json'],
      ['application/json; charset=koi8-r', '{}'],
      ['text/plain', 'x'],
      ['nonsense', 'x'],
      [undefined, form],
      ['application/json', Buffer.alloc(2_000_000, ' ')],
    ];
    for (const [type, body] of bodies) {
      const headers = { ...known(), ...(type === undefined ? {} : { 'Content-Type': type }) };
      expect({ type, status: (await send(headers, 1, body)).status }).toEqual({ type, status: 200 });
    }
    expect((await send({ 'Content-Type': 'application/json' }, 1, '{"no json')).status).toBe(404);
  });

  it('that say that a channel is open are taken before the call that opens it is answered', async () => {
    expect(is.drive.channels.syncFirst).toBe(true);
    const { rows } = await is.house.database.admin.query(
      `select state, messages, resource_id from drive_channels where state = 'active'`,
    );
    expect(rows).toEqual([
      { state: 'active', messages: expect.any(Number), resource_id: known()['X-Goog-Resource-ID'] },
    ]);
    expect(rows[0].messages).toBeGreaterThan(0);
    expect(is.drive.channels.answers.filter((status) => status !== 200)).toEqual([]);
  });

  it('that flood in leave one job', async () => {
    await is.rest();
    const { rows } = await is.house.database.admin.query('select max(id) as id from drive_sync_jobs');
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(known())));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await is.rest();
    const after = await is.house.database.admin.query(
      'select count(*)::integer as n from drive_sync_jobs where id > $1',
      [rows[0].id],
    );
    expect(after.rows[0].n).toBeLessThan(15);
  });

  it('of strangers are not looked up for ever', async () => {
    let limited = 0;
    for (let nr = 0; nr < 40; nr++) if ((await send({ 'X-Goog-Channel-ID': 'x' })).status === 429) limited += 1;
    expect(limited).toBeGreaterThan(0);
    // Behind a proxy they come from where everybody comes from.
    expect((await send(known())).status).toBe(200);
    expect((await send({ ...known(), 'X-Goog-Channel-Token': 'guess' })).status).toBe(429);
  });
});

describe('channels', () => {
  it('are renewed with a new id, the new one first, and shown to operators', async () => {
    const operator = await is.house.as('root', { roles: ['operator'] });
    const before = [...is.drive.channels.channels.values()].filter((one) => is.drive.channels.live(one));
    expect((await operator.post(`${ROOT}/channels/renew`).expect(200)).body).toEqual([
      { tenant_id: 1, outcome: 'renewed', error: null },
    ]);
    const now = [...is.drive.channels.channels.values()].filter((one) => is.drive.channels.live(one));
    expect(now).toHaveLength(1);
    expect(before.map(({ id }) => id)).not.toContain(now[0]!.id);
    const { body } = await operator.get(`${ROOT}/channels`).expect(200);
    expect(body[0]).toMatchObject({ id: now[0]!.id, state: 'active', tenant_id: 1 });
    expect((await alice.get(`${ROOT}/channels`)).status).toBe(403);
  });

  it('that cannot be renewed are shown, and the old one stays', async () => {
    const operator = await is.house.as('root', { roles: ['operator'] });
    is.drive.faults.plan(/POST .*changes\/watch/, { kind: 'answer', status: 400, reason: 'push.webhookUrlNotHttps' });
    const { body } = await operator.post(`${ROOT}/channels/renew`).expect(200);
    expect(body[0]).toMatchObject({ outcome: 'failed', error: expect.stringContaining('webhookUrlNotHttps') });
    expect((await alice.get(`${ROOT}/tenant`)).body.channel).toMatchObject({
      state: 'failing',
      expires_at: expect.any(String),
    });
    expect([...is.drive.channels.channels.values()].filter((one) => is.drive.channels.live(one))).toHaveLength(1);
  });
});

it('disconnecting stops channels, revokes the grant, and keeps everything', async () => {
  const count = (await evidence()).length;
  expect((await alice.delete(`${ROOT}/tenant`).expect(200)).body).toEqual({ status: 'DISCONNECTED' });
  expect([...is.drive.channels.channels.values()].filter((one) => is.drive.channels.live(one))).toEqual([]);
  expect(is.drive.oauth.grants.every(({ revoked }) => revoked)).toBe(true);
  expect(await evidence()).toHaveLength(count);
  expectProblem(await alice.delete(`${ROOT}/tenant`), { status: 409, code: 'drive-sync.not-connected' });
});
