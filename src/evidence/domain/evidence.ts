// Domain. One piece of evidence: a file, and what is known of it.

export const EVIDENCE_SOURCES = ['upload', 'drive', 'agent'] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

export const EVIDENCE_STATUSES = ['unclassified', 'classified'] as const;
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number];

/** What a person said of a suggested family. */
export const REVIEW_DECISIONS = ['accepted', 'corrected', 'rejected'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** Where a change came from. Whoever mirrors changes elsewhere leaves out those that came from there. */
export type ChangeOrigin = EvidenceSource;

/** What is stored of a file beside its bytes. */
export interface StoredContent {
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export interface Evidence extends StoredContent {
  readonly id: string;
  readonly tenantId: number;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly name: string;
  readonly mimeType: string;
  readonly source: EvidenceSource;
  readonly driveFileId: string | null;
  readonly status: EvidenceStatus;
  readonly controlFamily: string | null;
  readonly reviewDecision: ReviewDecision | null;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
  readonly deletedBy: string | null;
}
