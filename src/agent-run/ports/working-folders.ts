// Port. Where a task may put an assistant to work, beside its thread's own folder.
import { token } from '../../kernel/token';
import type { Assistant } from '../domain/assistant';

export interface WorkingFolders {
  /** The folder itself, links followed. Throws InvalidInputError when the operator does not allow it. */
  resolve(assistant: Assistant, asked: string): Promise<string>;
}

export const WorkingFolders = token<WorkingFolders>('WorkingFolders');
