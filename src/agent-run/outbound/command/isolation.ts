// Outbound, command driver. What keeps an agent from the house's secrets: another user of the operating system when
// the house runs as root, else bubblewrap where it works, else nothing, and then it is said aloud.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AgentIsolation } from '../../ports/agent-isolation';
import { isWithin } from './is-within';
import { knownUser, type OperatingUser } from './operating-user';

const run = promisify(execFile);

/** As root an agent must be somebody else; whom the operator did not name is `nobody`. */
const DEFAULT_AGENT_USER = 'nobody';

export interface Isolation extends AgentIsolation {
  /** Whom agents run as when their assistant names nobody; undefined: as the house itself. */
  readonly user: OperatingUser | undefined;
}

export interface IsolationSurroundings {
  readonly isRoot: boolean;
  /** See operating-user.ts. */
  readonly houseUsers: ReadonlyMap<number, string>;
  /** Whether bubblewrap can build its fence here: containers often forbid it. */
  readonly bubblewrapWorks: () => Promise<boolean>;
}

export async function detectIsolation(
  agentUser: string | undefined,
  around: IsolationSurroundings,
): Promise<Isolation> {
  if (around.isRoot) return asAnotherUser(agentUser ?? DEFAULT_AGENT_USER, around.houseUsers);
  const ignored = agentUser === undefined ? '' : ` (HORARIUM_AGENT_USER=${agentUser} has no effect: that takes root)`;
  if (await around.bubblewrapWorks()) {
    const detail = `run in bubblewrap, the data folder out of their sight${ignored}`;
    return { kind: 'bubblewrap', user: undefined, inWords: () => detail };
  }
  const same = 'agents run as the same user as Horarium and can read its secrets; install bubblewrap, or start as root';
  return none(same + ignored);
}

async function asAnotherUser(name: string, houseUsers: ReadonlyMap<number, string>): Promise<Isolation> {
  const user = await knownUser(name);
  if (user.uid === 0) return none(`agents run as ${name}, that is as root, and can read Horarium's secrets`);
  const reads = houseUsers.get(user.uid);
  if (reads !== undefined) {
    return none(`agents run as the user ${name} and can read ${reads}; name another one in HORARIUM_AGENT_USER`, user);
  }
  return { kind: 'user', user, inWords: () => `run as the user ${name}` };
}

function none(why: string, user?: OperatingUser): Isolation {
  return { kind: 'none', user, inWords: () => `no isolation: ${why}` };
}

export const thisMachine = {
  isRoot: process.getuid?.() === 0,
  async bubblewrapWorks(): Promise<boolean> {
    try {
      await run('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--', 'true']);
      return true;
    } catch {
      return false;
    }
  },
};

export interface Fence {
  /** Hidden: the house's data folder. */
  readonly dataFolder: string;
  /** Open for writing. */
  readonly folders: readonly string[];
  readonly cwd: string;
  readonly argv: readonly string[];
}

/**
 * The arguments that make bubblewrap start `argv` behind the fence. The order matters: later lines cover earlier. A folder
 * that holds the data folder is bound before that is hidden, or it would bring the secrets back into sight.
 */
export function bubblewrapArgs(fence: Fence): string[] {
  const inTmp = [fence.dataFolder, ...fence.folders, ...fence.argv].some((path) => path.startsWith('/tmp/'));
  const bind = (folder: string): string[] => ['--bind', folder, folder];
  const holdsData = (folder: string): boolean => isWithin(fence.dataFolder, folder);
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--unshare-ipc'],
    // A /tmp of its own, unless something it needs lies in the real one.
    ...(inTmp ? ['--bind', '/tmp', '/tmp'] : ['--tmpfs', '/tmp']),
    ...fence.folders.filter(holdsData).flatMap(bind),
    ...['--tmpfs', fence.dataFolder],
    ...fence.folders.filter((folder) => !holdsData(folder)).flatMap(bind),
    ...['--chdir', fence.cwd, '--', ...fence.argv],
  ];
}
