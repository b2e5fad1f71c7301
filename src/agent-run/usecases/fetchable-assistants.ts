// Use case. Whose runs can be fetched, and by whom: an assistant is either for enrolled machines with certain labels, or for
// whoever shows a token of this house.
import { settingsOf } from '../domain/assistant';
import { isForMachine } from '../domain/driver-settings/pull-settings';
import { InvalidInputError } from '../domain/errors';
import type { AssistantDirectory } from '../ports/assistant-directory';

export class FetchableAssistants {
  constructor(private readonly assistants: AssistantDirectory) {}

  /** Those of `assistantIds` whose runs a machine with these labels may have. */
  forMachine(assistantIds: readonly string[], labels: readonly string[]): string[] {
    return assistantIds.filter((id) => {
      const assistant = this.assistants.find(id);
      return assistant?.driver.kind === 'pull' && isForMachine(settingsOf(assistant, 'pull'), labels);
    });
  }

  /** @throws InvalidInputError */
  mustBeForTokens(assistantId: string): void {
    const driver = this.assistants.find(assistantId)?.driver;
    if (driver?.kind === 'pull' && driver.labels === null) return;
    const why =
      driver === undefined
        ? 'There is no such assistant'
        : driver.kind === 'pull'
          ? 'It is for enrolled machines (its `labels`), which fetch on their own port'
          : `It is executed by the driver ${driver.kind}`;
    throw new InvalidInputError('assistant_ids', `No runs can be fetched for "${assistantId.slice(0, 64)}". ${why}.`);
  }
}
