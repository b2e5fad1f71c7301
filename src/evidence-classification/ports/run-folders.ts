// Port. The folders of a run: what the classifier is given, and what it writes. What it wrote is read with mistrust.
import { token } from '../../kernel/token';

export interface GivenFile {
  readonly evidenceId: string;
  readonly name: string;
  readonly mimeType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface Reading {
  /** Whole new lines since `offset`. */
  readonly lines: readonly string[];
  readonly offset: number;
}

export interface FolderTrace {
  readonly runId: string;
  readonly startedAt: Date;
}

export interface RunFolders {
  /** Whose folders these are. The same for ever, whatever the machine is called. */
  place(): Promise<string>;

  /** Those that are there, and since when. */
  traces(): Promise<FolderTrace[]>;

  paths(runId: string): { readonly in: string; readonly out: string };

  /** Writes the files and the list of them. Names are written into the list only; they never become paths. */
  prepare(runId: string, files: AsyncIterable<GivenFile>): Promise<void>;

  /** Of progress.ndjson. */
  progress(runId: string, offset: number): Promise<Reading>;

  /** Of manifest.json. Null: there is none that can be read. */
  manifestFiles(runId: string): Promise<number | null>;

  /** All that was written, in bytes. */
  written(runId: string): Promise<number>;

  remove(runId: string): Promise<void>;
}

export const RunFolders = token<RunFolders>('RunFolders');
