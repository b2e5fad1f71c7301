// Domain. What people ask of a list: which part of it, and where in it.
import type { EvidenceSource, EvidenceStatus } from './evidence';

/** A place in a list ordered by creation, newest first. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: Cursor;
}

export interface ProjectFilter {
  /** Absent: those that are not archived. */
  readonly archived?: boolean;
}

/** Absent means any. */
export interface EvidenceFilter {
  readonly projectId?: string;
  readonly taskId?: string;
  readonly status?: EvidenceStatus;
  readonly source?: EvidenceSource;
  readonly controlFamily?: string;
  /** Absent: those that are not deleted. */
  readonly deleted?: boolean;
  /** Only these. */
  readonly ids?: readonly string[];
}
