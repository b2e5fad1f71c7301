// Outbound, command driver. Everything that is decided before a program starts: as whom, where, with which words, in which
// environment, behind which fence. Refuses, with what to mend, what could not work.
import { stat } from 'node:fs/promises';
import { settingsOf } from '../../domain/assistant';
import type { CommandSettings } from '../../domain/driver-settings/command-settings';
import { LaunchFailedError } from '../../domain/errors';
import type { Launch } from '../../ports/assistant-driver';
import type { WorkingFolders } from '../../ports/working-folders';
import type { AgentFolders } from './agent-folders';
import type { ProgramStart } from './program-start';
import { argvOf, DEFAULT_PATH, environmentOf, wordsOf } from './command-line';
import { bubblewrapArgs, type Isolation } from './isolation';
import { limitWords } from './limits';
import { findUser, obstacle, type OperatingUser } from './operating-user';
import { findProgram } from './program';

export interface PreparationOptions {
  readonly dataFolder: string;
  readonly folders: AgentFolders;
  readonly isolation: Isolation;
  /** See operating-user.ts. */
  readonly houseUsers: ReadonlyMap<number, string>;
  /** The operator's environment, of which agents get what their assistant lists. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolders: WorkingFolders;
}

export class Preparation {
  constructor(private readonly options: PreparationOptions) {}

  async of(launch: Launch): Promise<ProgramStart> {
    const settings = settingsOf(launch.assistant, 'command');
    const user = await this.userOf(settings);
    const own = await this.options.folders.ofThread(launch.threadId, user);
    const cwd = await this.workingFolder(launch, settings, own, user);
    const env = environmentOf(settings, launch, this.options.environment, this.homeOf(user, own));
    const words = wordsOf(settings, launch);
    const [program, ...args] = argvOf(words, launch);
    const found = await findProgram(program, env['PATH'] ?? '', user);
    const stdin = words.prompt === 'stdin' ? launch.prompt : null;
    const limits = await limitWords(settings, this.pathOf(settings));
    const [file, ...rest] = [...limits, found, ...args] as [string, ...string[]];
    if (this.options.isolation.kind !== 'bubblewrap') {
      const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
      return { file, args: rest, cwd, env, stdin, ...as };
    }
    const folders = [...settings.writable, cwd, own];
    const fence = { dataFolder: this.options.dataFolder, folders, cwd, argv: [file, ...rest] };
    const bubblewrap = await findProgram('bwrap', this.options.environment['PATH'] ?? DEFAULT_PATH, undefined);
    return { file: bubblewrap, args: bubblewrapArgs(fence), cwd, env, stdin };
  }

  /** Where its program is looked for. */
  pathOf({ env }: CommandSettings): string {
    return env.find(({ name }) => name === 'PATH')?.value ?? this.options.environment['PATH'] ?? DEFAULT_PATH;
  }

  async userOf({ user }: CommandSettings): Promise<OperatingUser | undefined> {
    if (user === null) return this.options.isolation.user;
    if (process.getuid?.() !== 0) {
      throw new LaunchFailedError(
        `The assistant is to run as ${user}, which needs Horarium to run as root: leave "user" out.`,
      );
    }
    const found = await findUser(user);
    const reads = found && this.options.houseUsers.get(found.uid);
    if (reads !== undefined) {
      throw new LaunchFailedError(
        `The assistant is to run as ${user}, who can read ${reads}: name a user that nothing else runs as.`,
      );
    }
    if (found !== undefined) return found;
    throw new LaunchFailedError(`The assistant is to run as ${user}, and this machine has no such user.`);
  }

  private homeOf(user: OperatingUser | undefined, own: string): string {
    return (user === undefined ? this.options.environment['HOME'] : user.home) ?? own;
  }

  private async workingFolder(
    { assistant, workingFolder }: Launch,
    { cwd }: CommandSettings,
    own: string,
    user: OperatingUser | undefined,
  ): Promise<string> {
    const folder = workingFolder === null ? cwd : await this.options.workingFolders.resolve(assistant, workingFolder);
    if (folder === null) return own;
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
      throw new LaunchFailedError(
        `The working folder ${folder} does not exist: create it, or correct the assistant's "cwd".`,
      );
    }
    const closed = user === undefined ? undefined : await obstacle(folder, user, 'execute');
    if (closed === undefined) return folder;
    throw new LaunchFailedError(
      `The user ${user?.name} may not enter ${closed}, so the working folder ${folder} is out of its reach.`,
    );
  }
}
