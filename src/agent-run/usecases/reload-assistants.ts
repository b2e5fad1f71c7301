// Use case. Takes over what the operator has changed about the assistants while the house runs. Runs at work go on as
// they were started.
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { FaultLog } from '../ports/fault-log';

export class ReloadAssistants {
  constructor(
    private readonly assistants: AssistantDirectory,
    private readonly faults: FaultLog,
  ) {}

  /** False when the new settings are bad: that is reported, and the assistants stay as they were. */
  async run(): Promise<boolean> {
    try {
      await this.assistants.reload();
      return true;
    } catch (error) {
      this.faults.report('the assistants could not be read again and stay as they were', error);
      return false;
    }
  }
}
