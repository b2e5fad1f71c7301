// Classification and parse jobs through the HTTP doors, the classifier being the bundled one, run as a process.
import { type Client, testApp, type TestApp } from '../../support/app';
import { horarium } from '../../support/cli';
import { testDatabase, type TestDatabase } from '../../support/database';
import { expectProblem } from '../../support/http';

let database: TestDatabase;
let house: TestApp;
let alice: Client;
let manager: Client;

beforeAll(async () => {
  database = await testDatabase();
  // Nobody was there last night: the last clean-up was the one of the night before.
  await database.admin.query(`insert into timetable_turns (name, taken_at, instant, finished_at)
    select 'parse-job-cleanup', night, night, night from (values (date_trunc('day', now()) - interval '47 hours')) n (night)`);
  await database.admin.query(`insert into compliance.framework_parse_jobs
      (id, tenant_id, name, format, status, document_bytes, created_by, created_at)
    values ('job-of-last-week', 1, 'x', 'csv', 'failed', 1, 'alice', now() - interval '8 days')`);
  house = await testApp({ CLASSIFIER_RUNNER: 'process', PARSE_JOB_MAX_FILE_MIB: '1' }, undefined, database);
  alice = await house.as('alice');
  manager = await house.as('mona', { roles: ['user', 'manager'] });
});
afterAll(async () => {
  await house?.close();
  await database?.close();
});

interface RunBody {
  id: string;
  status: string;
  reason: string | null;
  detail: string | null;
  files: { evidence_id: string; state: string; control_family: string | null; words: string[]; error: string | null }[];
}

const project = async (): Promise<string> =>
  ((await alice.post('/api/1.0/projects', { name: 'CMMC' })).body as { id: string }).id;
const upload = async (id: string, name: string, content: string | Buffer): Promise<string> => {
  const sent = alice.post(`/api/1.0/projects/${id}/evidence`).attach('file', Buffer.from(content), { filename: name });
  return ((await sent).body as { id: string }).id;
};
async function over(id: string): Promise<RunBody> {
  for (;;) {
    const { body } = await alice.get(`/api/1.0/classification-runs/${id}`);
    if (!['queued', 'starting', 'running'].includes((body as RunBody).status)) return body as RunBody;
    await aRound();
  }
}
/** Of the relay, which sleeps while nothing is told of: the end that is waited for may have come between look and call. */
async function aRound(): Promise<void> {
  house.ticker.wake('outbox-relay');
  await house.ticker.ticked('outbox-relay');
}

describe('a classification run', () => {
  it('suggests a family for each file, which people accept, correct or reject', async () => {
    const id = await project();
    const task = (await alice.post(`/api/1.0/projects/${id}/tasks`, { name: 'Media', control_family: 'MP' })).body as {
      id: string;
    };
    const ids = {
      access: await upload(id, 'review.txt', 'Access review: accounts with administrator rights were disabled.'),
      media: await upload(
        id,
        'report.html',
        '<p>Certificate of <b>destruction</b>: hard disks and tapes were shredded.',
      ),
      picture: await upload(id, 'photo.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1')),
    };
    expectProblem(await alice.post(`/api/1.0/projects/${id}/classification-runs`, {}), {
      status: 403,
      code: 'auth.role-required',
    });
    const started = await manager.post(`/api/1.0/projects/${id}/classification-runs`, {});
    expect(started.body).toMatchObject({ status: 'queued', total_files: 3, created_by: 'mona' });
    const runId = (started.body as RunBody).id;
    expectProblem(await manager.post(`/api/1.0/projects/${id}/classification-runs`, {}), {
      status: 409,
      code: 'evidence-classification.active-run',
      detail: new RegExp(runId),
    });
    const run = await over(runId);
    expect(run).toMatchObject({ status: 'succeeded', reason: null, runner: 'process', done_files: 3, failed_files: 1 });
    const of = (evidence: string) => run.files.find((file) => file.evidence_id === evidence);
    expect(of(ids.access)).toMatchObject({ control_family: 'AC', words: expect.arrayContaining(['access']) });
    expect(of(ids.media)).toMatchObject({ control_family: 'MP' });
    expect(of(ids.picture)).toMatchObject({ state: 'failed', error: expect.stringContaining('no text') });

    const review = (evidence: string, body: object) =>
      alice.post(`/api/1.0/classification-runs/${runId}/files/${evidence}/review`, body);
    await review(ids.media, { decision: 'accepted' });
    await review(ids.access, { decision: 'corrected', control_family: 'ia' });
    expectProblem(await review(ids.picture, { decision: 'accepted' }), {
      status: 422,
      code: 'evidence-classification.invalid',
      field: 'decision',
    });
    await review(ids.picture, { decision: 'rejected' });
    const evidence = async (one: string): Promise<unknown> => (await alice.get(`/api/1.0/evidence/${one}`)).body;
    expect(await evidence(ids.media)).toMatchObject({
      status: 'classified',
      control_family: 'MP',
      task_id: task.id,
      review_decision: 'accepted',
      reviewed_by: 'alice',
      reviewed_at: expect.any(String),
    });
    expect(await evidence(ids.access)).toMatchObject({
      control_family: 'IA',
      review_decision: 'corrected',
      task_id: null,
    });
    expect(await evidence(ids.picture)).toMatchObject({ status: 'unclassified', review_decision: 'rejected' });
    const { rows } = await house.database.admin.query<{ type: string }>(
      "select type from outbox_events where type ~ 'reviewed|finished' order by id",
    );
    expect(rows.map(({ type }) => type)).toEqual([
      'classification.finished',
      ...Array<string>(3).fill('evidence.reviewed'),
    ]);
  });

  it('is refused for nothing, for what is not there, and for an image that nobody allowed', async () => {
    const id = await project();
    const at = `/api/1.0/projects/${id}/classification-runs`;
    expectProblem(await manager.post(at, {}), { status: 409, code: 'evidence-classification.nothing-to-classify' });
    expectProblem(await manager.post(at, { evidence_ids: ['evidence-none'] }), {
      status: 422,
      code: 'evidence-classification.invalid',
      field: 'evidence_ids',
    });
    expectProblem(await manager.post(at, { image: 'evil:1' }), {
      status: 422,
      code: 'evidence-classification.invalid',
      field: 'image',
    });
    expectProblem(await manager.post('/api/1.0/projects/none/classification-runs', {}), {
      status: 404,
      code: 'evidence.project-not-found',
    });
    expectProblem(await alice.get('/api/1.0/classification-runs/none'), {
      status: 404,
      code: 'evidence-classification.run-not-found',
    });
  });
});

describe('a parse job', () => {
  const submit = (content: string, filename: string) =>
    alice.post('/api/1.0/framework-parse-jobs').attach('file', Buffer.from(content), { filename });
  const parsed = async (content: string, name: string): Promise<Record<string, unknown>> => {
    const { body } = await submit(content, name);
    const { id } = body as { id: string };
    for (;;) {
      const job = (await alice.get(`/api/1.0/framework-parse-jobs/${id}`)).body as Record<string, unknown>;
      if (job.status !== 'queued' && job.status !== 'parsing') return job;
      await aRound();
    }
  };
  const CSV =
    'Control ID;Title;Family;Statement\nAC-1;"Policy; first";AC;"Say ""who"" may\nenter"\n;;;\nAC-2;Accounts;AC;\n';

  it('reads a table, awaits its review, and is reviewed once', async () => {
    const job = await parsed(CSV, 'controls.csv');
    expect(job).toMatchObject({ status: 'awaiting_review', format: 'csv', total_controls: 2, done_controls: 2 });
    const at = `/api/1.0/framework-parse-jobs/${String(job.id)}`;
    expect((await alice.get(`${at}/controls`)).body).toEqual([
      { nr: 1, control_id: 'AC-1', family: 'AC', title: 'Policy; first', statement: 'Say "who" may\nenter' },
      { nr: 2, control_id: 'AC-2', family: 'AC', title: 'Accounts', statement: '' },
    ]);
    expect((await manager.post(`${at}/approve`)).body).toMatchObject({ status: 'approved', reviewed_by: 'mona' });
    expectProblem(await manager.post(`${at}/reject`), { status: 409, code: 'parse-job-cleanup.not-reviewable' });
  });

  it('reads an OSCAL catalogue, controls within controls', async () => {
    const part = { name: 'statement', prose: 'The organisation:', parts: [{ name: 'item', prose: 'decides.' }] };
    const inner = { id: 'ac-1.1', title: 'More', parts: [] };
    const control = { id: 'ac-1', title: 'Policy', parts: [part], controls: [inner] };
    const catalog = { groups: [{ id: 'ac', groups: [{ id: 'ac-x', controls: [control] }] }] };
    const job = await parsed(JSON.stringify({ catalog }), 'catalog.json');
    expect(job).toMatchObject({ status: 'awaiting_review', format: 'oscal', total_controls: 2 });
    expect((await alice.get(`/api/1.0/framework-parse-jobs/${String(job.id)}/controls?from=2`)).body).toEqual([
      { nr: 2, control_id: 'ac-1.1', family: 'ac-x', title: 'More', statement: '' },
    ]);
  });

  it.each([
    ['no JSON', '{"catalog":', 'x.json', /no JSON/],
    ['no catalogue', '{}', 'x.json', /no `catalog`/],
    ['no column of ids', 'a,b\n1,2\n', 'x.csv', /control_id/],
  ])('of %s fails, and says why', async (_, content, name, error) => {
    expect(await parsed(content, name)).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
  });

  it('is deleted at the start of the server, when nobody was there at night', async () => {
    const deleted = async (): Promise<boolean> => {
      const { rowCount } = await database.admin.query(
        "select from compliance.framework_parse_jobs where id = 'job-of-last-week' and deleted_at is not null",
      );
      return rowCount === 1;
    };
    while (!(await deleted())) await aRound();
    expect((await alice.post('/api/1.0/framework-parse-jobs/job-of-last-week/restore')).status).toBe(200);
  });

  it('is deleted softly when it is older than seven days, whatever its state, and can be restored', async () => {
    const { admin } = house.database;
    await admin.query('delete from compliance.framework_parse_jobs');
    // The clock of the database stands still, so that exactly seven days are exactly seven days.
    await admin.query(`create or replace function horarium_now() returns timestamptz language sql
      as $$ select '2030-01-08T01:00:00Z'::timestamptz $$`);
    await admin.query(`insert into compliance.framework_parse_jobs
        (id, tenant_id, name, format, status, document_bytes, created_by, created_at)
      select 'job-' || s || n, 1, 'x', 'csv', s, 1, 'alice',
             '2030-01-01T01:00:00Z'::timestamptz - n * interval '1 millisecond'
        from unnest(array['awaiting_review', 'approved', 'rejected', 'failed']) s, generate_series(0, 300) n`);
    const operator = await house.as('root', { roles: ['operator'] });
    const cleanup = '/api/1.0/framework-parse-jobs/cleanup';
    expectProblem(await alice.post(cleanup, {}), { status: 403, code: 'auth.role-required' });
    expect((await operator.post(cleanup, { dry_run: true })).body).toEqual({
      dry_run: true,
      deleted: 1_200,
      purged: 0,
    });
    const token = await house.token('root', { roles: ['operator'] });
    const cli = horarium({ HORARIUM_URL: house.url, HORARIUM_TOKEN: token, HORARIUM_DATA_DIR: house.dataDir });
    const { stdout } = await cli('parse-jobs', 'cleanup', '--older-than', '7d', '--json');
    expect(JSON.parse(stdout)).toEqual({ dry_run: false, deleted: 1_200, purged: 0 });
    expect((await operator.post(cleanup, {})).body).toEqual({ dry_run: false, deleted: 0, purged: 0 });
    const left = (await alice.get('/api/1.0/framework-parse-jobs?limit=200')).body as { id: string }[];
    expect(left.map(({ id }) => id).sort()).toEqual([
      'job-approved0',
      'job-awaiting_review0',
      'job-failed0',
      'job-rejected0',
    ]);
    const at = '/api/1.0/framework-parse-jobs/job-failed7';
    expectProblem(await alice.get(at), { status: 404, code: 'parse-job-cleanup.job-not-found' });
    expect((await alice.post(`${at}/restore`)).status).toBe(200);
    expect((await operator.post(cleanup, {})).body).toMatchObject({ deleted: 0 });
    expect((await alice.get(at)).status).toBe(200);
  });
});
