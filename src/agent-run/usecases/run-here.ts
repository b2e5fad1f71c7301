// Use case. Executes, on this machine, a run that belongs to a house somewhere else. What may be executed, and how, this
// machine's operator has written; nothing is stored.
import type { Owner } from '../../kernel/actor';
import type { Assistant } from '../domain/assistant';
import { UnknownAssistantError } from '../domain/errors';
import type { RunEnd } from '../domain/run-end';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { AssistantDrivers } from '../ports/assistant-driver';

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
    return this.drivers.of(assistant).start({ assistant, ...asked, said: () => undefined });
  }

  /** Ends its whole process group, also one that an earlier process of ours has left behind. */
  async cancel(requestId: string, reason: string): Promise<void> {
    const drivers = new Set(this.programs().map((assistant) => this.drivers.of(assistant)));
    for (const driver of drivers) await driver.cancel(requestId, reason);
  }

  private ids(): string[] {
    return this.programs().map(({ id }) => id);
  }
}
