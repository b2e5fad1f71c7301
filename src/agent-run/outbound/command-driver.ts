// Outbound adapter, fills AssistantDriver: a program that is started anew for each run, exactly as the operator wrote
// it, as a process group of its own. How it is fenced, found, captured and ended lies in command/.
import type { Assistant, CommandSettings } from '../domain/assistant';
import { LaunchFailedError } from '../domain/errors';
import type { RunEnd } from '../domain/run-end';
import type { AssistantDriver, DriverStatus, Finding, Launch, Started } from '../ports/assistant-driver';
import type { WorkingFolders } from '../ports/working-folders';
import { stat } from 'node:fs/promises';
import type { AgentFolders } from './command/agent-folders';
import { Child, signalGroup, type ChildEnd, type ProgramStart } from './command/child';
import { argvOf, DEFAULT_PATH, environmentOf } from './command/command-line';
import { bubblewrapArgs, type Isolation } from './command/isolation';
import { findUser, obstacle, type OperatingUser } from './command/operating-user';
import { findProgram, launchFailure } from './command/program';
import type { RunMarks } from './command/run-marks';

export interface CommandDriverOptions {
  readonly dataFolder: string;
  readonly folders: AgentFolders;
  readonly marks: RunMarks;
  readonly isolation: Isolation;
  /** See operating-user.ts. */
  readonly houseUsers: ReadonlyMap<number, string>;
  /** The operator's environment, of which agents get what their assistant lists. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolders: WorkingFolders;
  readonly graceMs: number;
  readonly drainMs: number;
}

interface Flight {
  readonly child: Child;
  readonly started: Started;
  cancelled: string | undefined;
}

export class CommandDriver implements AssistantDriver {
  private readonly flights = new Map<string, Flight>();

  constructor(private readonly options: CommandDriverOptions) {}

  async start(launch: Launch): Promise<Started> {
    const running = this.flights.get(launch.requestId);
    if (running !== undefined) return running.started;
    const start = await this.programStart(launch);
    const settings = launch.assistant.driver;
    const child = await Child.start(start, {
      outputBytes: settings.outputLimitBytes,
      timeoutMs: launch.assistant.timeoutSeconds * 1000,
      graceMs: this.options.graceMs,
      drainMs: this.options.drainMs,
    }).catch((error: unknown) => {
      throw launchFailure(error, settings.argv[0], settings.prompt === 'argument');
    });
    const flight: Flight = { child, started: { ended: this.endOf(launch, child) }, cancelled: undefined };
    this.flights.set(launch.requestId, flight);
    return flight.started;
  }

  async find(requestId: string): Promise<DriverStatus> {
    return this.flights.has(requestId) || (await this.options.marks.livePid(requestId)) !== undefined
      ? { state: 'running' }
      : { state: 'unknown' };
  }

  status(requestId: string): Promise<DriverStatus> {
    return Promise.resolve({ state: this.flights.has(requestId) ? 'running' : 'unknown' });
  }

  async cancel(requestId: string, reason: string): Promise<void> {
    const flight = this.flights.get(requestId);
    if (flight !== undefined) {
      flight.cancelled ??= reason;
      flight.child.terminate();
      return;
    }
    // Of a process that is dead: nobody reads its output any more, and nobody would wait for a grace.
    const orphan = await this.options.marks.livePid(requestId);
    if (orphan !== undefined) signalGroup(orphan, 'SIGKILL');
    await this.options.marks.remove(requestId);
  }

  async inspect({ driver: settings }: Assistant): Promise<Finding[]> {
    const [program] = settings.argv;
    const findings: Finding[] = [];
    const look = async (work: () => Promise<string>): Promise<void> => {
      await work().then(
        (what) => findings.push({ fine: true, what }),
        (error: Error) => findings.push({ fine: false, what: error.message }),
      );
    };
    const path = settings.env.find(({ name }) => name === 'PATH')?.value ?? this.options.environment['PATH'];
    await look(async () => {
      const user = await this.userOf(settings);
      return `${program} is ${await findProgram(program, path ?? DEFAULT_PATH, user)}.`;
    });
    await look(async () => `It runs as ${(await this.userOf(settings))?.name ?? 'the user that Horarium runs as'}.`);
    for (const { name, value } of settings.env) {
      if (value !== null || this.options.environment[name] !== undefined) continue;
      findings.push({
        fine: true,
        what: `${name} is not set where Horarium was started: the program runs without it.`,
      });
    }
    return findings;
  }

  private async endOf(launch: Launch, child: Child): Promise<RunEnd> {
    // Written beside the run and not before it counts as started: 10 ms of disk would be 10 ms of lateness.
    const marked = this.options.marks.put(launch.requestId, child.pid).catch(() => false);
    const end = await child.ended;
    const cancelled = this.flights.get(launch.requestId)?.cancelled;
    this.flights.delete(launch.requestId);
    await marked;
    await this.options.marks.remove(launch.requestId).catch(() => undefined);
    return runEnd(end, cancelled, launch.assistant.timeoutSeconds);
  }

  private async programStart(launch: Launch): Promise<ProgramStart> {
    const settings = launch.assistant.driver;
    const user = await this.userOf(settings);
    const own = await this.options.folders.ofThread(launch.threadId, user);
    const cwd = await this.workingFolder(launch, own, user);
    const env = environmentOf(settings, launch, this.options.environment, this.homeOf(user, own));
    const argv = argvOf(settings, launch.prompt);
    const file = await findProgram(argv[0], env['PATH'] ?? '', user);
    const stdin = settings.prompt === 'stdin' ? launch.prompt : null;
    if (this.options.isolation.kind !== 'bubblewrap') {
      const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
      return { file, argv0: argv[0], args: argv.slice(1), cwd, env, stdin, ...as };
    }
    const folders = [...settings.writable, cwd, own];
    const fence = { dataFolder: this.options.dataFolder, folders, cwd, argv: [file, ...argv.slice(1)] };
    return { file: 'bwrap', argv0: 'bwrap', args: bubblewrapArgs(fence), cwd, env, stdin };
  }

  private async userOf({ user }: CommandSettings): Promise<OperatingUser | undefined> {
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

  private async workingFolder(launch: Launch, own: string, user: OperatingUser | undefined): Promise<string> {
    const { assistant, workingFolder } = launch;
    const folder =
      workingFolder === null
        ? assistant.driver.cwd
        : await this.options.workingFolders.resolve(assistant, workingFolder);
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

function runEnd(end: ChildEnd, cancelled: string | undefined, timeoutSeconds: number): RunEnd {
  const said = { exitCode: end.code, output: end.output, errorOutput: end.errorOutput };
  if (end.timedOut) {
    return { status: 'timeout', error: `The agent was ended: it did not finish within ${timeoutSeconds} s.`, ...said };
  }
  if (cancelled !== undefined) return { status: 'interrupted', error: cancelled, ...said };
  if (end.code === 0) return { status: 'success', error: null, ...said };
  const how = end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`;
  const last = lastLine(end.errorOutput.text);
  return { status: 'error', error: `The agent failed (${how})${last === '' ? '.' : `: ${last}`}`, ...said };
}

/** Programs say what went wrong in the end. */
function lastLine(text: string): string {
  const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
