// Platform, persistence. Brings a database to the present schema. Forward only: there is no down.
import { Client, escapeIdentifier } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options';
import { APP_ROLE } from './sessions';

// Arbitrary, fixed for ever: two processes that start at once migrate one after the other.
const MIGRATION_LOCK = 4_026_531_837;

/**
 * Applies what is missing, as the login role of `url`, and lets `loginRole` (default: the same role) act as the
 * application role. Returns the names of the applied migrations.
 */
export async function runMigrations(url: string, loginRole?: string): Promise<string[]> {
  const lock = new Client({ connectionString: url });
  await lock.connect();
  try {
    // A transaction, and not a session, holds the lock: behind a pooler the session is somebody else's afterwards.
    await lock.query('begin; set local idle_in_transaction_session_timeout = 0');
    await lock.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const source = await new DataSource(dataSourceOptions({ url, poolSize: 2 })).initialize();
    try {
      const applied = await source.runMigrations();
      // Read by the health check, which works as the application role; the table is made by the driver, not by us.
      await source.query(`grant select on migrations to ${APP_ROLE}`);
      if (loginRole !== undefined) await grantAppRole(lock, loginRole);
      await lock.query('commit');
      return applied.map(({ name }) => name);
    } finally {
      await source.destroy();
    }
  } finally {
    await lock.end();
  }
}

async function grantAppRole(client: Client, loginRole: string): Promise<void> {
  const { rowCount } = await client.query(
    "select 1 where pg_has_role($1, $2, case when current_setting('server_version_num')::integer < 160000 then 'MEMBER' else 'SET' end)",
    [loginRole, APP_ROLE],
  );
  if (rowCount === 0) await client.query(`grant ${APP_ROLE} to ${escapeIdentifier(loginRole)}`);
}
