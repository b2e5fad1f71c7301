// Domain. A framework of controls that somebody brought, on its way from a document to controls that somebody approves.
import type { ControlText } from './control';

export const PARSE_JOB_STATUSES = ['queued', 'parsing', 'awaiting_review', 'approved', 'rejected', 'failed'] as const;
export type ParseJobStatus = (typeof PARSE_JOB_STATUSES)[number];

export const DOCUMENT_FORMATS = ['oscal', 'csv'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

export interface ParseJob {
  readonly id: string;
  readonly tenantId: number;
  readonly name: string;
  readonly format: DocumentFormat;
  readonly status: ParseJobStatus;
  readonly documentBytes: number;
  /** Null: not counted yet. */
  readonly totalControls: number | null;
  readonly doneControls: number;
  readonly error: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
}

export interface StoredControl extends ControlText {
  readonly nr: number;
}

export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** The name says it, else the first character that is no blank. */
export function formatOf(fileName: string, mimeType: string, start: Uint8Array): DocumentFormat {
  if (/\.csv$/i.test(fileName) || mimeType === 'text/csv') return 'csv';
  if (/\.json$/i.test(fileName) || mimeType === 'application/json') return 'oscal';
  const first = start.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  return first === 0x7b ? 'oscal' : 'csv';
}
