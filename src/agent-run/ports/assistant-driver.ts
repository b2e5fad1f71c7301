// Port. How an assistant executes a prompt, whatever it is: a program, a server, an agent that fetches its work, a loop in
// this process. Its contract tests run on every driver.
import { token } from '../../kernel/token';
import type { Owner } from '../../kernel/actor';
import type { Assistant } from '../domain/assistant';
import type { DriverStatus, RunEnd } from '../domain/run-end';

export type { DriverStatus } from '../domain/run-end';

/** All that a driver is told about a run. */
export interface Launch {
  readonly assistant: Assistant;
  readonly agentRunId: string;
  /** Identifies the launch for the outside too: a driver that can, refuses to start one twice. */
  readonly requestId: string;
  readonly owner: Owner;
  readonly threadId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** A folder that was asked for; null means the thread's own. */
  readonly workingFolder: string | null;
  /** What the last run on this thread named the conversation (RunEnd.agentSession); null: there was none yet. */
  readonly agentSession: string | null;
  /** Hears what the agent says while it works, for whoever watches. What counts is told again by `ended`. */
  said(stream: SaidStream, chunk: Uint8Array | string): void;
  /** What was said, by `said`, in a process that is dead by now; as far as this machine has kept it. */
  heard(): Promise<Heard>;
  /** The data folder of the dead process that held the run, where that was on this machine. */
  readonly leftIn?: string;
}

export interface Heard {
  readonly output: string;
  readonly errorOutput: string;
}

/** The answer as it grows, or what the agent does on the way. */
export type SaidStream = 'output' | 'error_output';

export interface Started {
  /** Settles once, when the agent is done, and never rejects: a fault of the driver is an end with status `error`. */
  readonly ended: Promise<RunEnd>;
}

/** What an operator should know about an assistant before it is used. */
export interface Finding {
  readonly fine: boolean;
  /** One sentence; when something is wrong, with what to do. */
  readonly what: string;
}

export interface DriverCapabilities {
  /** The agent works outside of this process and goes on without it: `adopt` follows it again. */
  readonly outlivesHouse: boolean;
  /** Runs on one thread can go on with one conversation (Launch.agentSession). */
  readonly conversations: boolean;
}

export interface AssistantDriver {
  capabilities(assistant: Assistant): DriverCapabilities;
  /**
   * Starts the agent and resolves as soon as it works, or is certain to. Throws LaunchFailedError, or
   * RemoteThreadBusyError, when it is certain that nothing runs; anything else it throws means that nobody knows. The same
   * request is started once: asked again in the same process it answers with the run under way.
   */
  start(launch: Launch): Promise<Started>;
  /**
   * Looks for a run after a restart, or in another process: what did become of it? `launch` is missing when the operator
   * has taken the assistant away meanwhile.
   */
  find(requestId: string, launch?: Launch): Promise<DriverStatus>;
  /** The same question about a run that this process has started. Cheap: no outside call where none is needed. */
  status(requestId: string): Promise<DriverStatus>;
  /**
   * Follows a run again that another process has started and that is still under way. The caller has made sure that
   * nobody else does. Null: it is not known here, or cannot be followed.
   */
  adopt(launch: Launch): Promise<Started | null>;
  /**
   * Ends the agent as far as possible, also one that another, dead process has started. Resolves when the wish was
   * delivered; the end itself comes through `ended`, as `interrupted` with `reason` as its error. Asking twice, or for
   * a run that is over, does nothing.
   */
  cancel(requestId: string, reason: string, launch?: Launch): Promise<void>;
  /** Requests that an earlier, dead process has started from this machine, and of which traces are left here. */
  leftBehind(): Promise<readonly string[]>;
  /** The end of a request is stored, or nobody will ask for it any more: its traces may go. */
  forget(requestId: string): Promise<void>;
  /** Follows nothing any more: what goes on outside is followed by another process from then on. */
  stop?(): Promise<void>;
  /** Looks whether a launch would work, without launching. Never rejects because of what it finds. */
  inspect(assistant: Assistant): Promise<Finding[]>;
}

/** Finds the driver that an assistant asks for. */
export interface AssistantDrivers {
  of(assistant: Assistant): AssistantDriver;
  all(): readonly AssistantDriver[];
}

export const AssistantDrivers = token<AssistantDrivers>('AssistantDrivers');
