// Test support. A database gone, whoever is still connected to it.
import { type Client, escapeIdentifier } from 'pg';

/**
 * What `with (force)` does, except where a vacuum worker is busy in the database: that one belongs to no role, so only a
 * superuser may force it out, and an ordinary owner's drop fails. A drop without force asks it to leave by itself.
 */
export async function dropDatabase(owner: Client, name: string): Promise<void> {
  await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = $1 and usesysid is not null and pg_has_role(usesysid, 'usage')`,
    [name],
  );
  await owner.query(`drop database if exists ${escapeIdentifier(name)}`);
}
