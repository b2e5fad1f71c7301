// Port. What parse jobs tell the house: that there is work, and what the clean-up did.
import { token } from '../../kernel/token';

export interface ParseJobSignals {
  /** Wakes whoever parses. Never fails. */
  submitted(): void;
  swept(deleted: number, purged: number): void;
}

export const ParseJobSignals = token<ParseJobSignals>('ParseJobSignals');
