// Platform, embedded database. Which user of the operating system PostgreSQL runs as. It refuses to be root, so a
// house started as root gives it another.
//
// Never the user that agents run as while another will do: that user owns the cluster's files, and an agent could
// read every table, past all passwords and policies, with `cat`. Agents run as `nobody` by default, so `nobody`
// comes last. Accounts of people are left out: they would own a database that they never asked for.
import { userInfo } from 'node:os';
import { statSync } from 'node:fs';
import { hostUsers, type HostUser, isRoot, nameOfUser } from '../host/users';
import { EmbeddedDatabaseError } from './errors';

const MADE_FOR_IT = ['postgres', '_postgres'];
// In every passwd file since the seventies, and nothing runs as it any more.
const USED_BY_NOTHING = ['daemon', 'bin'];
const FIRST_PERSON = 500;

/** The user to become, in order of preference. */
export function candidates(users: readonly HostUser[], agentUsers: readonly string[]): HostUser[] {
  const fit = users.filter(({ uid, gid }) => uid > 0 && gid > 0);
  const named = (names: readonly string[]): HostUser[] => names.flatMap((name) => fit.filter((u) => u.name === name));
  const system = fit.filter(({ uid, name }) => uid < FIRST_PERSON && name !== 'nobody');
  const nobody = named(['nobody']);
  const taken = new Set(agentUsers);
  const order = [...named(MADE_FOR_IT), ...named(USED_BY_NOTHING), ...system, ...nobody];
  const distinct = [...new Map(order.map((user) => [user.uid, user])).values()];
  return [...distinct.filter(({ name }) => !taken.has(name)), ...distinct.filter(({ name }) => taken.has(name))];
}

/**
 * The user that PostgreSQL has to become; undefined when it stays the user of this process.
 * A cluster that exists is run by its owner: chown would lock out whoever made it.
 */
export function databaseUser(cluster: string, agentUsers: readonly string[]): HostUser | undefined {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid;
  if (!isRoot()) {
    refuseForeign(cluster, owner);
    refuseNameless();
    return undefined;
  }
  const users = hostUsers();
  if (owner !== undefined) {
    const user = users.find(({ uid }) => uid === owner);
    if (user !== undefined && owner !== 0) return user;
    throw new EmbeddedDatabaseError(
      `The database folder ${cluster} belongs to ${nameOfUser(owner)}, which PostgreSQL cannot run as. ` +
        `Give it to a system user: chown -R ${candidates(users, agentUsers)[0]?.name ?? 'postgres'} ${cluster}`,
    );
  }
  const [user] = candidates(users, agentUsers);
  if (user !== undefined) return user;
  throw new EmbeddedDatabaseError(
    'Started as root, and /etc/passwd has no system user that PostgreSQL could run as (it refuses to be root). ' +
      'Add one (`useradd --system postgres`), start as an ordinary user, or set DATABASE_URL.',
  );
}

function refuseForeign(cluster: string, owner: number | undefined): void {
  const own = process.getuid?.();
  if (owner === undefined || own === undefined || owner === own) return;
  throw new EmbeddedDatabaseError(
    `The database folder ${cluster} belongs to ${nameOfUser(owner)}, and this process runs as ${nameOfUser(own)}. ` +
      `Start as the user that made it, or set HORARIUM_DATA_DIR to a folder of your own.`,
  );
}

function refuseNameless(): void {
  try {
    userInfo();
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL needs a user with a name, and user id ${process.getuid?.()} has none in /etc/passwd. ` +
        'Run as a named user (in a container: one of its image), or set DATABASE_URL.',
      { cause },
    );
  }
}
