// Port. What classification tells the house.
import { token } from '../../kernel/token';

export interface ClassificationSignals {
  /** Wakes whoever starts runs. Never fails. */
  queued(): void;
  ended(status: string, reason: string | null): void;
  /** Something of the background went wrong, and goes on nevertheless. */
  trouble(message: string, cause: unknown): void;
}

export const ClassificationSignals = token<ClassificationSignals>('ClassificationSignals');
