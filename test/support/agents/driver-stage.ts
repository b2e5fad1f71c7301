// Test support. What the contract suite of the drivers needs to play one of them: agents that behave as a test asks, and the
// same world seen by another process.
import type { Assistant } from '../../../src/agent-run/domain/assistant';
import type { AssistantDriver, Launch } from '../../../src/agent-run/ports/assistant-driver';

export type Behaviour =
  /** Answers with the prompt that it was given. */
  | { readonly does: 'echo' }
  /** Fails, and says why. */
  | { readonly does: 'fail'; readonly reason: string }
  /** Works until it is ended. */
  | { readonly does: 'wait' }
  /** Answers `done` and tells what it used: 10 tokens in, 5 out. */
  | { readonly does: 'count' }
  /** Answers with everything that it was told in this conversation, joined by "+". */
  | { readonly does: 'remember' }
  /** Its provider wants it to slow down, for a minute. */
  | { readonly does: 'slow-down' }
  /** Asks a person `Which branch?`. */
  | { readonly does: 'ask' }
  /** Cannot be started, and certainly does not run. */
  | { readonly does: 'refuse' };

export type BehaviourName = Behaviour['does'];

export interface DriverStage {
  readonly driver: AssistantDriver;
  /** What the agents of this kind of driver can do at all. */
  readonly plays: ReadonlySet<BehaviourName>;
  /** A driver on the same world, as another process has it. */
  elsewhere(): Promise<AssistantDriver>;
  /** A launch whose agent behaves so; ids are new unless `more` says otherwise. */
  launch(behaviour: Behaviour, more?: Partial<Launch>, settings?: Record<string, unknown>): Launch;
  /** Resolves when the agent of a launch with `wait` is at work. */
  atWork(launch: Launch): Promise<void>;
  /** An assistant that would not work. Null: nothing can be wrong with one of this kind. */
  readonly broken: Assistant | null;
  close(): Promise<void>;
}

export const EVERYTHING: ReadonlySet<BehaviourName> = new Set<BehaviourName>([
  'echo',
  'fail',
  'wait',
  'count',
  'remember',
  'slow-down',
  'ask',
  'refuse',
]);
