// Domain. One run of the classifier over files of a project.

export const RUN_STATUSES = ['queued', 'starting', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Why a run did not succeed. */
export const RUN_REASONS = [
  'exit_code',
  'out_of_memory',
  'timed_out',
  'cancelled',
  'start_failed',
  'image_missing',
  'incomplete_result',
  'output_too_large',
  'engine_lost',
  'engine_stopped',
  'files_unreadable',
] as const;
export type RunReason = (typeof RUN_REASONS)[number];

export interface ClassificationRun {
  readonly id: string;
  readonly tenantId: number;
  readonly projectId: string;
  readonly status: RunStatus;
  readonly reason: RunReason | null;
  /** What the program or the engine said, for people. */
  readonly detail: string | null;
  readonly runner: string | null;
  readonly image: string;
  readonly totalFiles: number;
  readonly doneFiles: number;
  readonly failedFiles: number;
  readonly deadlineAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export const DECISIONS = ['accepted', 'corrected', 'rejected'] as const;
export type Decision = (typeof DECISIONS)[number];

export interface ClassifiedFile {
  readonly evidenceId: string;
  readonly name: string;
  readonly state: 'pending' | 'done' | 'failed';
  readonly controlFamily: string | null;
  /** From 0 to 1. */
  readonly confidence: number | null;
  /** Those that spoke for the family. */
  readonly words: readonly string[];
  readonly error: string | null;
  readonly reviewDecision: Decision | null;
  readonly reviewedFamily: string | null;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
}

export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}
