// Port. How an assistant executes a prompt, whatever it is: a program, a server, a loop in this process.
import { token } from '../../kernel/token';
import type { Assistant } from '../domain/assistant';
import type { RunEnd } from '../domain/run-end';

/** All that a driver is told about a run. */
export interface Launch {
  readonly assistant: Assistant;
  readonly agentRunId: string;
  /** Identifies the launch for the outside too: a driver that can, refuses to start one twice. */
  readonly requestId: string;
  readonly threadId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** A folder that was asked for; null means the thread's own. */
  readonly workingFolder: string | null;
}

export interface Started {
  /** Settles once, when the agent is done, and never rejects: a fault of the driver is an end with status `error`. */
  readonly ended: Promise<RunEnd>;
}

export type DriverStatus =
  | { readonly state: 'running' }
  | { readonly state: 'ended'; readonly end: RunEnd }
  /** The driver knows of no such run: it was never started, or it is forgotten. */
  | { readonly state: 'unknown' };

/** What an operator should know about an assistant before it is used. */
export interface Finding {
  readonly fine: boolean;
  /** One sentence; when something is wrong, with what to do. */
  readonly what: string;
}

export interface AssistantDriver {
  /**
   * Starts the agent and resolves as soon as it works. Throws LaunchFailedError when it is certain that nothing runs;
   * anything else it throws means that nobody knows.
   */
  start(launch: Launch): Promise<Started>;
  /** Looks for a run after a restart, or in another process: what did become of it? */
  find(requestId: string): Promise<DriverStatus>;
  /** The same question about a run that this process has started. Cheap: no outside call where none is needed. */
  status(requestId: string): Promise<DriverStatus>;
  /**
   * Ends the agent as far as possible, also one that another, dead process has started. Resolves when the wish was
   * delivered; the end itself comes through `ended`, as `interrupted` with `reason` as its error. Asking twice, or for
   * a run that is over, does nothing.
   */
  cancel(requestId: string, reason: string): Promise<void>;
  /** Looks whether a launch would work, without launching. Never rejects because of what it finds. */
  inspect(assistant: Assistant): Promise<Finding[]>;
}

/** Finds the driver that an assistant asks for. */
export interface AssistantDrivers {
  of(assistant: Assistant): AssistantDriver;
  all(): readonly AssistantDriver[];
}

export const AssistantDrivers = token<AssistantDrivers>('AssistantDrivers');
