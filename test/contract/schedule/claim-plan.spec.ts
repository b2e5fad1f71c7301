// The plan of the claim, pinned: with a million tasks waiting it walks the due index, also when the planner knows nothing
// of the instant (a generic plan) and when its statistics say otherwise.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { systemActor } from '../../../src/kernel/actor';
import { CLAIM_DUE, CLAIM_SETTINGS } from '../../../src/schedule/outbound/claim-due';
import { NEXT_DUE } from '../../../src/schedule/outbound/look-ahead';
import { SqlDispatchLedger, WALK } from '../../../src/schedule/outbound/sql-dispatch-ledger';
import { testDatabase, type TestDatabase } from '../../support/database';
import { at } from '../../support/schedule-builders';

const TASKS = 1_000_000;
const FIRST = at('2026-07-27T12:00:00Z');
const JUST_BEFORE = at('2026-07-27T11:59:59Z');
const BATCH = 100;
const HOUSE = systemActor('test');

// Every task waits for an instant of its own, a second after the one before, in an order that is not the table's.
const GENERATE = `
  insert into scheduled_tasks
    (id, tenant_id, user_id, created_at, title, prompt, assistant_id, context_mode, schedule_type, schedule_spec,
     timezone, updated_at)
  select 'task-' || n, 1, 'user-' || n % 100, $1, 'A task', 'Say hello.', 'default', 'fresh_thread_per_run', 'cron',
         '{"cron": "0 9 * * *"}', 'UTC', $1
    from generate_series(1, ${TASKS}) n`;
const GENERATE_STATES = `
  insert into scheduled_task_states (task_id, tenant_id, user_id, status, next_run_at)
  select 'task-' || n, 1, 'user-' || n % 100, 'enabled', $1::timestamptz + make_interval(secs => (n::bigint * 7919) % ${TASKS})
    from generate_series(1, ${TASKS}) n`;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
}

let database: TestDatabase;
let ledger: SqlDispatchLedger;
beforeAll(async () => {
  database = await testDatabase();
  const { admin } = database;
  const restore = await stripped(admin);
  await admin.query(GENERATE, [FIRST]);
  await admin.query(GENERATE_STATES, [FIRST]);
  for (const definition of restore) await admin.query(definition);
  await admin.query('vacuum (analyze) scheduled_tasks, scheduled_task_states');
  ledger = new SqlDispatchLedger(database.sessions, { uuid: randomUUID });
}, 180_000);
afterAll(() => database.close());

/**
 * Takes off indexes and keys, which cost ten times the rows; answers how those that the claim may walk are put back, as the
 * migration has them.
 */
async function stripped(admin: Client): Promise<string[]> {
  const tables = ['scheduled_task_states', 'scheduled_tasks'];
  const keys = await admin.query<{ off: string; on: string; kept: boolean }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as on,
            contype = 'p' as kept
       from pg_constraint
      where conrelid::regclass::text = any ($1) and contype in ('p', 'f')
      order by kept`,
    [tables],
  );
  const indexes = await admin.query<{ off: string; on: string; kept: boolean }>(
    `select format('drop index %I', indexname) as off, indexdef as on, tablename = 'scheduled_task_states' as kept
       from pg_indexes where tablename = any ($1) and indexname like 'ix%'`,
    [tables],
  );
  const all = [...keys.rows, ...indexes.rows];
  for (const { off } of all) await admin.query(off);
  return all.filter(({ kept }) => kept).map(({ on }) => on);
}

/** The plan that the adapter's own statement gets under the adapter's own settings, when no parameter is known. */
async function genericPlan(
  statement: string,
  settings: Readonly<Record<string, string>>,
  types: string,
  values: string,
): Promise<PlanNode> {
  const name = `plan_${randomUUID().replaceAll('-', '')}`;
  return database.sessions.run(
    HOUSE,
    async (tx) => {
      await tx.query(`prepare ${name} ${types} as ${statement}`);
      const [row] = await tx.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
        `explain (analyze, buffers, timing off, format json) execute ${name} ${values}`,
      );
      await tx.query(`deallocate ${name}`);
      const plan = row?.['QUERY PLAN'][0]?.Plan;
      if (plan === undefined) throw new Error('no plan');
      return plan;
    },
    { settings: { ...settings, plan_cache_mode: 'force_generic_plan' } },
  );
}

function nodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

const buffers = (plan: PlanNode): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
const onStates = (plan: PlanNode): PlanNode[] =>
  nodes(plan).filter((node) => node['Relation Name'] === 'scheduled_task_states');

describe('with a million tasks waiting', () => {
  const claimAt = (now: Date, limit: number, horizon = now): Promise<PlanNode> =>
    genericPlan(
      CLAIM_DUE,
      CLAIM_SETTINGS,
      '(timestamptz, integer, timestamptz)',
      `('${horizon.toISOString()}', ${limit}, '${now.toISOString()}')`,
    );

  test.each([
    ['nothing is due', JUST_BEFORE, 0],
    ['a hundred are due', new Date(FIRST.getTime() + 99_000), 100],
    ['all are due', at('2027-07-27T12:00:00Z'), 100],
  ])('the claim walks the due index in order and stops at its limit: %s', async (_what, now, found) => {
    const plan = await claimAt(now, BATCH);
    expect(plan['Actual Rows']).toBe(found);
    const [due] = onStates(plan).filter((node) => node['Index Name'] === 'ix_scheduled_task_states_due');
    expect(due).toMatchObject({ 'Node Type': 'Index Scan', 'Actual Rows': found });
    const kinds = nodes(plan).map((node) => node['Node Type']);
    for (const kind of ['Seq Scan', 'Sort', 'Bitmap Heap Scan', 'Hash Join']) expect(kinds).not.toContain(kind);
    // A handful for each claimed row: index, row and lock, then state and rule by their keys.
    expect(buffers(plan)).toBeLessThan(50 + 20 * found);
  });
  test('so does a claim ahead, which asks the active runs by their own index', async () => {
    const plan = await claimAt(JUST_BEFORE, BATCH, new Date(FIRST.getTime() + 9_000));
    expect(plan['Actual Rows']).toBe(10);
    const kinds = nodes(plan).map((node) => node['Node Type']);
    for (const kind of ['Seq Scan', 'Sort', 'Bitmap Heap Scan', 'Hash Join']) expect(kinds).not.toContain(kind);
    expect(buffers(plan)).toBeLessThan(250);
  });
  test('the next instants are the first entries of the due index', async () => {
    const plan = await genericPlan(NEXT_DUE, WALK.settings, '(timestamptz)', `('${FIRST.toISOString()}')`);
    const due = onStates(plan);
    expect(due).toHaveLength(2);
    for (const scan of due) {
      expect(scan['Node Type']).toMatch(/^Index (Only )?Scan$/);
      expect(scan).toMatchObject({ 'Index Name': 'ix_scheduled_task_states_due', 'Actual Rows': 1 });
    }
    expect(nodes(plan).map((node) => node['Node Type'])).not.toContain('Sort');
    expect(buffers(plan)).toBeLessThan(50);
  });
  test('an idle round and the next instants take less than 50 ms on an idle machine, whatever waits', async () => {
    const order = { instanceId: 'instance-1', leaseSeconds: 120, budget: 100_000, limit: BATCH, now: JUST_BEFORE };
    // On a machine that is busy with other things an empty transaction is the measure.
    const empty = await median(() => database.sessions.run(HOUSE, (tx) => tx.query('select 1')));
    const allowed = Math.max(200, 10 * empty);
    expect(await median(() => ledger.claimDue(order))).toBeLessThan(allowed);
    expect(await median(() => ledger.nextDue(JUST_BEFORE))).toBeLessThan(allowed);
  });
});

async function median(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nr = 0; nr < 9; nr++) {
    const start = performance.now();
    await act();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[4] ?? Infinity;
}
