// Use case. Says beforehand whether an assistant may be put to work in a folder, so that a task is refused when it is
// made and not at its first run.
import { InvalidInputError } from '../domain/errors';
import { plainText } from '../domain/plain-text';
import type { AssistantDirectory } from '../ports/assistant-directory';
import type { WorkingFolders } from '../ports/working-folders';

export class CheckFolder {
  constructor(
    private readonly assistants: AssistantDirectory,
    private readonly folders: WorkingFolders,
  ) {}

  /** Null when it may, else why not. An assistant that does not exist is refused elsewhere. */
  async run(assistantId: string, folder: string): Promise<string | null> {
    const assistant = this.assistants.find(assistantId);
    if (assistant === undefined) return null;
    try {
      await this.folders.resolve(assistant, plainText('working_folder', folder));
      return null;
    } catch (error) {
      if (error instanceof InvalidInputError) return error.message;
      throw error;
    }
  }
}
