// Projects and evidence through the HTTP door: a file goes up and comes down byte by byte, and what must not be taken is not.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { type Client, testApp, type TestApp } from '../../support/app';
import { expectProblem, rawRequest } from '../../support/http';

let house: TestApp;
let alice: Client;
let token: string;
let project: string;

beforeAll(async () => {
  house = await testApp({ EVIDENCE_MAX_FILE_MIB: '1' });
  alice = await house.as('alice');
  token = await house.token('alice');
  project = ((await alice.post('/api/1.0/projects', { name: ' CMMC \t 2027 ' })).body as { id: string }).id;
});
afterAll(() => house.close());

const upload = (content: Buffer, name: string, fields: Record<string, string> = {}, type = 'text/plain') => {
  const form = alice.post(`/api/1.0/projects/${project}/evidence`);
  for (const [field, value] of Object.entries(fields)) void form.field(field, value);
  return form.attach('file', content, { filename: name, contentType: type });
};
const filesOnDisk = (): string[] =>
  readdirSync(join(house.dataDir, 'evidence'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /evidence-/.test(name),
  );
const events = async (): Promise<string[]> => {
  const { rows } = await house.database.admin.query<{ type: string }>('select type from outbox_events order by id');
  return rows.map(({ type }) => type);
};

describe('a file', () => {
  const bytes = randomBytes(700_000);

  it('is taken with its checksum, and comes back byte by byte, as a download and nothing else', async () => {
    const { status, body } = await upload(bytes, 'Zugriffe – März.html', {}, 'text/html');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^evidence-[0-9a-f]{32}$/),
      project_id: project,
      task_id: null,
      name: 'Zugriffe – März.html',
      mime_type: 'text/html',
      size_bytes: 700_000,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      source: 'upload',
      drive_file_id: null,
      status: 'unclassified',
      created_by: 'alice',
      deleted_at: null,
    });
    const { id } = body as { id: string };
    const down = await alice.get(`/api/1.0/evidence/${id}/content`).buffer(true).parse(whole);
    expect(bytes.equals(down.body as Buffer)).toBe(true);
    expect(down.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '700000',
      'content-disposition': `attachment; filename="Zugriffe _ M_rz.html"; filename*=UTF-8''Zugriffe%20%E2%80%93%20M%C3%A4rz.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['evil\u202Efdp.exe', 'evilfdp.exe'],
    ['CON.txt', '_CON.txt'],
    ['...', 'file'],
  ])('called %j is stored as %j', async (given, stored) => {
    expect((await upload(Buffer.from('x'), 'a.txt', { name: given })).body).toMatchObject({ name: stored });
  });

  it('that is too large is refused, and nothing of it stays', async () => {
    const before = filesOnDisk();
    const eventsBefore = await events();
    expectProblem(await upload(randomBytes(1_048_577), 'big.bin'), {
      status: 413,
      code: 'evidence.file-too-large',
      field: 'file',
      detail: /1 MiB/,
    });
    expect(filesOnDisk()).toEqual(before);
    expect(await events()).toEqual(eventsBefore);
  });

  it('that is broken off half-way leaves nothing', async () => {
    const before = filesOnDisk();
    const { port } = new URL(house.url);
    const answered = jest.fn();
    const cut = httpRequest({
      port,
      method: 'POST',
      path: `/api/1.0/projects/${project}/evidence`,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'multipart/form-data; boundary=b',
        'Content-Length': 90_000,
      },
    });
    cut.on('response', answered).on('error', () => undefined);
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
    await new Promise((written) => cut.write(head + 'x'.repeat(20_000), written));
    await until(() => filesOnDisk().some((name) => name.endsWith('.partial')));
    cut.destroy();
    await until(() => !filesOnDisk().some((name) => name.endsWith('.partial')));
    expect(filesOnDisk()).toEqual(before);
    expect(answered).not.toHaveBeenCalled();
  });
});

describe('a form', () => {
  const form = (body: string, boundary = 'b', method = 'POST', path = `/api/1.0/projects/${project}/evidence`) =>
    rawRequest(house, path, {
      method,
      token,
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body,
    });
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n';
  const field = (name: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;

  it.each([
    ['without a file', field('name') + '--b--\r\n', 'file', /file is required/],
    ['with an unknown field', field('owner') + file + '--b--\r\n', 'owner', /owner is not a known field/],
    ['with a file of another name', file.replace('"file"', '"other"') + '--b--\r\n', 'other', /not a known field/],
    ['with a field behind the file', file + field('name') + '--b--\r\n', 'name', /before the file/],
    ['without an end', file.slice(0, -8), 'file', /cannot be read/],
  ])('%s is refused, and nothing of it stays', async (_, body, name, detail) => {
    const before = filesOnDisk();
    expectProblem(await form(body), { status: 422, code: 'request.invalid', field: name, detail });
    expect(filesOnDisk()).toEqual(before);
  });

  it('is refused where no file is taken, and JSON where one is', async () => {
    const refused = await form(file + '--b--\r\n', 'b', 'POST', '/api/1.0/projects');
    expectProblem(refused, { status: 415, code: 'request.unsupported-media-type' });
    const json = await alice.post(`/api/1.0/projects/${project}/evidence`, { name: 'x' });
    expectProblem(json, { status: 422, code: 'request.invalid', field: 'file' });
  });
});

describe('evidence', () => {
  it('is renamed, moved, deleted and restored, and each change is told once', async () => {
    const task = (await alice.post(`/api/1.0/projects/${project}/tasks`, { name: 'Access', control_family: 'ac' }))
      .body as {
      id: string;
    };
    expect(task).toMatchObject({ name: 'Access', control_family: 'AC', project_id: project });
    const { id } = (await upload(Buffer.from('a,b'), 'a.csv', { task_id: task.id }, 'text/csv')).body as { id: string };
    const at = `/api/1.0/evidence/${id}`;
    const before = (await events()).length;
    expect((await alice.patch(at, { name: 'b/c.csv' })).body).toMatchObject({ name: 'c.csv', task_id: task.id });
    await alice.patch(at, { name: 'c.csv' });
    expect((await alice.patch(at, { task_id: null })).body).toMatchObject({ name: 'c.csv', task_id: null });
    expect((await alice.delete(at)).body).toMatchObject({ deleted_at: expect.any(String) });
    await alice.delete(at);
    expectProblem(await alice.get(`${at}/content`), { status: 409, code: 'evidence.deleted' });
    expectProblem(await alice.patch(at, { name: 'd' }), { status: 409, code: 'evidence.deleted' });
    expect(idsOf(await alice.get(`/api/1.0/evidence?project_id=${project}`))).not.toContain(id);
    expect(idsOf(await alice.get(`/api/1.0/evidence?deleted=true`))).toEqual([id]);
    expect((await alice.post(`${at}/restore`)).body).toMatchObject({ name: 'c.csv', deleted_at: null });
    expect((await events()).slice(before)).toEqual([
      'evidence.renamed',
      'evidence.moved',
      'evidence.deleted',
      'evidence.restored',
    ]);
  });

  it('gets new content under its old name', async () => {
    const { id } = (await upload(Buffer.from('old'), 'a.txt')).body as { id: string };
    const stored = filesOnDisk().length;
    const replaced = await alice
      .put(`/api/1.0/evidence/${id}/content`)
      .attach('file', Buffer.from('newer'), { filename: 'other.txt', contentType: 'text/plain' });
    expect(replaced.body).toMatchObject({ name: 'a.txt', size_bytes: 5 });
    expect((await alice.get(`/api/1.0/evidence/${id}/content`)).text).toBe('newer');
    expect(filesOnDisk()).toHaveLength(stored);
  });

  it('is listed page by page', async () => {
    const first = await alice.get(`/api/1.0/evidence?project_id=${project}&limit=2`);
    const cursor = first.headers['x-next-cursor'] as string;
    const second = await alice.get(`/api/1.0/evidence?project_id=${project}&limit=200&cursor=${cursor}`);
    const all = await alice.get(`/api/1.0/evidence?project_id=${project}&limit=200`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(all));
    expectProblem(await alice.get('/api/1.0/evidence?cursor=x'), {
      status: 422,
      code: 'request.invalid',
      field: 'cursor',
    });
  });

  it('of another tenant does not exist', async () => {
    const stranger = await house.as('bob', { tenantId: await house.tenant('strangers') });
    const { id } = (await upload(Buffer.from('ours'), 'a.txt')).body as { id: string };
    const colleague = await house.as('carol');
    expect((await colleague.get(`/api/1.0/evidence/${id}`)).status).toBe(200);
    for (const answer of [
      await stranger.get(`/api/1.0/evidence/${id}`),
      await stranger.get(`/api/1.0/evidence/${id}/content`),
      await stranger.delete(`/api/1.0/evidence/${id}`),
      await stranger.patch(`/api/1.0/evidence/${id}`, { name: 'mine' }),
    ]) {
      expectProblem(answer, { status: 404, code: 'evidence.not-found' });
    }
    expectProblem(await stranger.get(`/api/1.0/projects/${project}`), {
      status: 404,
      code: 'evidence.project-not-found',
    });
    expect((await stranger.get('/api/1.0/evidence')).body).toEqual([]);
  });

  it('whose file is gone says so', async () => {
    const { id } = (await upload(Buffer.from('x'), 'a.txt')).body as { id: string };
    await house.database.admin.query("update evidence set storage_key = '1/evidence-gone' where id = $1", [id]);
    expectProblem(await alice.get(`/api/1.0/evidence/${id}/content`), {
      status: 500,
      code: 'evidence.content-missing',
    });
  });
});

describe('a project', () => {
  it('is renamed and archived; then it can be read, and nothing is added to it', async () => {
    const { id, name } = (await alice.post('/api/1.0/projects', { name: ' Old \n project ' })).body as Record<
      string,
      string
    >;
    expect(name).toBe('Old project');
    expectProblem(await alice.post('/api/1.0/projects', { name: '  ' }), {
      status: 422,
      code: 'evidence.invalid',
      field: 'name',
    });
    expect((await alice.patch(`/api/1.0/projects/${id}`, { name: 'Older' })).body).toMatchObject({ name: 'Older' });
    expect((await alice.post(`/api/1.0/projects/${id}/archive`)).status).toBe(200);
    expect(idsOf(await alice.get('/api/1.0/projects'))).toEqual([project]);
    expect(idsOf(await alice.get('/api/1.0/projects?archived=true'))).toEqual([id]);
    expectProblem(await alice.post(`/api/1.0/projects/${id}/tasks`, { name: 'x' }), {
      status: 409,
      code: 'evidence.project-archived',
    });
  });

  it('loses a task, whose evidence stays with it', async () => {
    const { id } = (await alice.post(`/api/1.0/projects/${project}/tasks`, { name: 'Short-lived' })).body as {
      id: string;
    };
    const evidence = (await upload(Buffer.from('x'), 'kept.txt', { task_id: id })).body as { id: string };
    await alice.patch(`/api/1.0/project-tasks/${id}`, { name: 'Renamed' });
    await alice.delete(`/api/1.0/project-tasks/${id}`);
    expectProblem(await alice.get(`/api/1.0/project-tasks/${id}`), {
      status: 404,
      code: 'evidence.project-task-not-found',
    });
    expect((await alice.get(`/api/1.0/evidence/${evidence.id}`)).body).toMatchObject({ task_id: null });
    expectProblem(await upload(Buffer.from('x'), 'a.txt', { task_id: id }), {
      status: 404,
      code: 'evidence.project-task-not-found',
      field: 'task_id',
    });
    expect((await events()).slice(-4)).toEqual([
      'project-task.created',
      'evidence.added',
      'project-task.renamed',
      'project-task.deleted',
    ]);
  });
});

function idsOf(answer: { body: unknown }): string[] {
  return (answer.body as { id: string }[]).map(({ id }) => id);
}

function whole(response: unknown, done: (error: Error | null, body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  (response as NodeJS.ReadableStream)
    .on('data', (piece: Buffer) => pieces.push(piece))
    .on('end', () => done(null, Buffer.concat(pieces)));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((next) => setImmediate(next));
}
