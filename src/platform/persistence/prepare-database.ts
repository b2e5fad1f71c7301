// Platform, persistence. What a server of our own needs before the first migration: the database, and the login
// role that everything but migrations connects as. Not used with DATABASE_URL: there both are the operator's.
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { APP_ROLE } from './sessions';

export interface Preparation {
  /** Address of an existing database (`postgres`), as the owner. */
  readonly serverUrl: string;
  readonly database?: string;
  readonly login: { readonly user: string; readonly password: string };
}

/** Makes what is missing and leaves the rest. Safe to run at every start. */
export async function prepareDatabase({ serverUrl, database, login }: Preparation): Promise<void> {
  const owner = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  await owner.connect();
  try {
    await ensureLoginRole(owner, login);
    if (database !== undefined && !(await exists(owner, 'pg_database', 'datname', database))) {
      await owner.query(`create database ${escapeIdentifier(database)}`);
    }
  } finally {
    await owner.end();
  }
}

/**
 * The role is neither superuser nor owner and can pass no policy. NOINHERIT: by itself it may do nothing, it has to
 * become the application role, as each session does (sessions.ts). The membership is granted here when the
 * application role is there already, else after the migrations (run-migrations.ts).
 */
export async function ensureLoginRole(owner: Client, { user, password }: Preparation['login']): Promise<void> {
  const role = escapeIdentifier(user);
  if (!(await exists(owner, 'pg_roles', 'rolname', user))) await owner.query(`create role ${role} login noinherit`);
  const rights = 'login noinherit nocreatedb nocreaterole';
  // Only a superuser may name these two, and only a superuser could have given them.
  const { rows } = await owner.query<{ super: boolean }>(
    'select rolsuper as super from pg_roles where rolname = current_user',
  );
  const fences = rows[0]?.super ? 'nosuperuser nobypassrls' : '';
  await owner.query(`alter role ${role} ${rights} ${fences} password ${escapeLiteral(password)}`);
  if (await exists(owner, 'pg_roles', 'rolname', APP_ROLE)) {
    const member = await owner.query("select 1 where pg_has_role($1, $2, 'MEMBER')", [user, APP_ROLE]);
    if (member.rowCount === 0) await owner.query(`grant ${APP_ROLE} to ${role}`);
  }
}

async function exists(client: Client, catalog: string, column: string, name: string): Promise<boolean> {
  const { rowCount } = await client.query(`select 1 from ${catalog} where ${column} = $1`, [name]);
  return rowCount === 1;
}
