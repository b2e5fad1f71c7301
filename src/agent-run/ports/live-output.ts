// Port. What agents say while they work, for whoever watches. What counts is the run's end; this is forgotten with it.
import { token } from '../../kernel/token';

export interface SaidPiece {
  readonly stream: 'output' | 'error_output';
  readonly text: string;
  /** Where the next piece begins: whoever comes again goes on there. */
  readonly position: number;
}

export interface OutputReader {
  /** The next pieces, a bounded number; none: nothing new. */
  next(): Promise<readonly SaidPiece[]>;
  /** Nothing more will come. */
  readonly complete: boolean;
  /** Resolves when there may be something new, or after `atMostMs`. */
  change(atMostMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface LiveOutput {
  /** Never fails, and never holds anybody up. */
  said(agentRunId: string, stream: SaidPiece['stream'], chunk: Uint8Array | string): void;
  /** The agent has said all. Who reads at this moment reads to the end. */
  finish(agentRunId: string): Promise<void>;
  /**
   * From `position` on. What another machine hears cannot be read here: then nothing comes.
   * @param dataFolder another process's, on this machine
   */
  read(agentRunId: string, position: number, dataFolder?: string): OutputReader;
}

export const LiveOutput = token<LiveOutput>('LiveOutput');
