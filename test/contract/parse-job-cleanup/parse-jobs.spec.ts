// The port ParseJobRepository on PostgreSQL, with the use cases on top: parsers that die, the night's clean-up, and what is
// removed for good.
import { systemActor } from '../../../src/kernel/actor';
import type { ParseJob } from '../../../src/parse-job-cleanup/domain/parse-job';
import { SqlParseJobRepository } from '../../../src/parse-job-cleanup/outbound/sql-parse-job-repository';
import { ParseFrameworks } from '../../../src/parse-job-cleanup/usecases/parse-frameworks';
import { SweepParseJobs } from '../../../src/parse-job-cleanup/usecases/sweep-parse-jobs';
import { testDatabase, type TestDatabase } from '../../support/database';

const ACTOR = systemActor('tests');
const NOW = new Date('2030-01-08T01:00:00Z');
const DAY = 86_400;
const CSV = 'control_id,title\nAC-1,Policy\nAC-2,Accounts\n';

let database: TestDatabase;
let jobs: SqlParseJobRepository;

beforeAll(async () => {
  database = await testDatabase();
  jobs = new SqlParseJobRepository(database.sessions);
  await clockAt('2030-01-08T01:00:00Z');
  await database.admin.query(`insert into instances (id, host, pid, version, started_at, heartbeat_at)
    select id, 'here', 1, '1', now(), now() from unnest(array['first', 'second']) id`);
});
afterAll(() => database.close());
beforeEach(() => database.admin.query('delete from compliance.framework_parse_jobs'));

/** The clock of the database, which is the one that counts. */
async function clockAt(instant: string): Promise<void> {
  await database.admin.query(`create or replace function horarium_now() returns timestamptz language sql
    as $$ select '${instant}'::timestamptz $$`);
}
async function submitted(id: string, document = CSV): Promise<void> {
  const job: ParseJob = {
    ...{
      id,
      tenantId: 1,
      name: id,
      format: 'csv',
      status: 'queued',
      documentBytes: document.length,
      totalControls: null,
    },
    ...{ doneControls: 0, error: null, createdBy: 'alice', createdAt: NOW, startedAt: null, finishedAt: null },
    ...{ reviewedBy: null, reviewedAt: null },
  };
  await jobs.add(ACTOR, job, Buffer.from(document));
}
const policy = { maxDocumentBytes: 1_000, ttlSeconds: 7 * DAY, purgeAfterSeconds: null, leaseSeconds: 60 };
const parser = (id: string): ParseFrameworks => new ParseFrameworks(jobs, policy, { id });
const died = (id: string) => database.admin.query('update instances set stopped_at = now() where id = $1', [id]);
const lives = (id: string) => database.admin.query('update instances set stopped_at = null where id = $1', [id]);

describe('a job whose parser died', () => {
  const step = { total: 2, from: 0, controls: [{ controlId: 'AC-1', family: null, title: 'half', statement: '' }] };

  it('is left to it while it lives, and begun anew by another one as soon as it is dead', async () => {
    await submitted('job');
    expect(await jobs.claim(ACTOR, 'first', 60, NOW)).toMatchObject({ job: { id: 'job' }, attempts: 1 });
    expect(await jobs.progress(ACTOR, 'job', 'first', step, 60)).toBe(true);
    expect(await parser('second').run(NOW)).toBe(0);
    await died('first');
    expect(await parser('second').run(NOW)).toBe(1);
    expect(await jobs.find(ACTOR, 'job')).toMatchObject({ status: 'awaiting_review', doneControls: 2 });
    expect((await jobs.controls(ACTOR, 'job', 1, 10)).map(({ title }) => title)).toEqual(['Policy', 'Accounts']);
    // What comes back late changes nothing.
    expect(await jobs.progress(ACTOR, 'job', 'first', step, 60)).toBe(false);
    const end = { status: 'failed', error: 'late' } as const;
    expect(await jobs.finish(ACTOR, 'job', 'first', end, NOW)).toBe(false);
    await lives('first');
  });

  it('is taken over when its lease has run out, also of one that seems to live', async () => {
    await submitted('job');
    await jobs.claim(ACTOR, 'first', 60, NOW);
    await clockAt('2030-01-08T01:01:01Z');
    expect(await parser('second').run(NOW)).toBe(1);
    await clockAt('2030-01-08T01:00:00Z');
  });

  it('fails with a reason when its parsers die of it again and again', async () => {
    await submitted('job');
    for (const attempts of [1, 2, 3]) {
      expect(await jobs.claim(ACTOR, 'dead', 60, NOW)).toMatchObject({ attempts });
    }
    expect(await parser('second').run(NOW)).toBe(1);
    const reason = 'It was begun 3 times and never came to an end. Is the document too large?';
    expect(await jobs.find(ACTOR, 'job')).toMatchObject({ status: 'failed', error: reason });
    expect(await parser('second').run(NOW)).toBe(0);
  });
});

describe('the clean-up', () => {
  const swept: [number, number][] = [];
  const signals = { submitted: () => undefined, swept: (...counts: [number, number]) => void swept.push(counts) };
  const sweep = (purgeAfterSeconds: number | null = null): SweepParseJobs =>
    new SweepParseJobs(jobs, signals, { ...policy, purgeAfterSeconds });
  const aged = async (id: string, age: string, deleted: string | null = null): Promise<void> => {
    await database.admin.query(
      `insert into compliance.framework_parse_jobs
         (id, tenant_id, name, format, status, document_bytes, created_by, created_at, deleted_at)
       values ($1, 1, 'x', 'csv', 'parsing', 1, 'alice', horarium_now() - $2::interval, horarium_now() - $3::interval)`,
      [id, age, deleted],
    );
    await database.admin.query(
      `insert into compliance.framework_controls (job_id, nr, tenant_id, control_id, title, statement)
       values ($1, 1, 1, 'AC-1', 'x', '')`,
      [id],
    );
  };
  const left = async (): Promise<string[]> =>
    (await database.admin.query<{ id: string }>('select id from compliance.framework_parse_jobs order by id')).rows.map(
      ({ id }) => id,
    );

  it('keeps what is exactly seven days old, and counts what it did', async () => {
    await aged('exactly', '7 days');
    await aged('older', '7 days 1 microsecond');
    expect(await sweep().run({ dryRun: true })).toEqual({ deleted: 1, purged: 0 });
    expect(swept).toEqual([]);
    expect(await sweep().run()).toEqual({ deleted: 1, purged: 0 });
    expect(await sweep().run()).toEqual({ deleted: 0, purged: 0 });
    expect(swept).toEqual([
      [1, 0],
      [0, 0],
    ]);
    expect(await jobs.find(ACTOR, 'older')).toBeNull();
    expect(await jobs.find(ACTOR, 'exactly')).not.toBeNull();
  });

  it('removes nothing for good by itself, and after the configured time with all that was read', async () => {
    await aged('deleted long ago', '400 days', '30 days 1 second');
    await aged('deleted lately', '400 days', '30 days');
    await aged('restored', '400 days', '30 days 1 second');
    await jobs.restore(ACTOR, 'restored');
    expect(await sweep().run()).toEqual({ deleted: 0, purged: 0 });
    expect(await left()).toHaveLength(3);
    expect(await sweep(30 * DAY).run({ dryRun: true })).toEqual({ deleted: 0, purged: 0 });
    expect(await sweep(30 * DAY).run()).toEqual({ deleted: 0, purged: 1 });
    expect(await left()).toEqual(['deleted lately', 'restored']);
    const { rowCount } = await database.admin.query('select from compliance.framework_controls');
    expect(rowCount).toBe(2);
    expect(await jobs.restore(ACTOR, 'deleted long ago')).toBeNull();
  });

  it('ends the parsing of a job that it deletes', async () => {
    await submitted('job');
    await jobs.claim(ACTOR, 'first', 60, NOW);
    await clockAt('2030-01-15T01:00:01Z');
    expect(await sweep().run()).toEqual({ deleted: 1, purged: 0 });
    expect(await jobs.progress(ACTOR, 'job', 'first', { total: 0, from: 0, controls: [] }, 60)).toBe(false);
    await clockAt('2030-01-08T01:00:00Z');
  });
});
