import { systemActor } from '../../../src/kernel/actor';
import { type TestDatabase, testDatabase } from '../../support/database';

describe('a test database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  it('is migrated and worked with through a role that can pass no policy', async () => {
    const rows = await db.sessions.run(systemActor('test'), (tx) =>
      tx.query('select current_user as role, (select count(*)::int from tenants) as tenants'),
    );
    expect(rows).toEqual([{ role: 'horarium_app', tenants: 1 }]);
    const { rows: roles } = await db.admin.query(
      "select rolsuper, rolbypassrls, rolinherit, pg_has_role(rolname, 'horarium_app', 'MEMBER') as member from pg_roles where rolname = $1",
      [decodeURIComponent(new URL(db.url).username)],
    );
    expect(roles).toEqual([{ rolsuper: false, rolbypassrls: false, rolinherit: false, member: true }]);
  });

  it('is seen whole by the owner, whatever the policies say', async () => {
    await db.admin.query("insert into tenants (name, created_at) values ('second', now())");
    const { rows } = await db.admin.query('select name from tenants order by id');
    expect(rows).toEqual([{ name: 'default' }, { name: 'second' }]);
  });

  it('is nobody else’s: another one knows nothing of it', async () => {
    const other = await testDatabase();
    try {
      expect(other.name).not.toBe(db.name);
      const { rows } = await other.admin.query('select name from tenants');
      expect(rows).toEqual([{ name: 'default' }]);
    } finally {
      await other.close();
    }
  });
});
