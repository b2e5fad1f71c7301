// Use case. Executes, on this machine, a run that belongs to a house somewhere else. What may be executed, and how, this
// machine's operator has written; nothing is stored.
import type { Owner } from '../../kernel/actor';
import type { Assistant } from '../domain/assistant';
import { UnknownAssistantError } from '../domain/errors';
import type { RunEnd } from '../domain/run-end';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { AssistantDriver, AssistantDrivers, Launch } from '../ports/assistant-driver';

type Heard = Awaited<ReturnType<Launch['heard']>>;

const NOTHING: Heard = { output: '', errorOutput: '' };

export interface RunHereInput {
  readonly assistantId: string;
  readonly agentRunId: string;
  readonly requestId: string;
  readonly owner: Owner;
  readonly threadId: string;
  readonly prompt: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly workingFolder: string | null;
  readonly agentSession: string | null;
}

export class RunHere {
  constructor(
    private readonly assistants: AssistantDirectory,
    private readonly drivers: AssistantDrivers,
  ) {}

  /** Programs only: what hands a run on to others is the other house's business. */
  programs(): readonly Assistant[] {
    return this.assistants.all().filter(({ driver }) => driver.kind === 'command');
  }

  /** Throws LaunchFailedError, or another DomainError, when certainly nothing runs. */
  async start({ assistantId, ...asked }: RunHereInput): Promise<{ readonly ended: Promise<RunEnd> }> {
    const assistant = this.assistants.find(assistantId);
    if (assistant?.driver.kind !== 'command') throw new UnknownAssistantError(assistantId, this.ids());
    const heard = (): Promise<Heard> => Promise.resolve(NOTHING);
    return this.drivers.of(assistant).start({ assistant, ...asked, said: () => undefined, heard });
  }

  /** Ends its whole process group. */
  async cancel(requestId: string, reason: string): Promise<void> {
    for (const driver of this.commandDrivers()) await driver.cancel(requestId, reason);
  }

  /** Its end was told: its traces may go. */
  async forget(requestId: string): Promise<void> {
    for (const driver of this.commandDrivers()) await driver.forget(requestId);
  }

  /** Ends what an earlier process of ours, which is dead, has left at work. */
  async endLeftBehind(reason: string): Promise<void> {
    for (const driver of this.commandDrivers()) {
      for (const requestId of await driver.leftBehind()) await driver.cancel(requestId, reason);
    }
  }

  private commandDrivers(): ReadonlySet<AssistantDriver> {
    return new Set(this.programs().map((assistant) => this.drivers.of(assistant)));
  }

  private ids(): string[] {
    return this.programs().map(({ id }) => id);
  }
}
