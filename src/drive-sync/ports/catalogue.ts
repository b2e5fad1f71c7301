// Port: projects, tasks and evidence, which another feature owns. Every change is made as coming from Drive, and told to
// nobody twice: what is the same already changes nothing. Ids of other tenants, and deleted projects or tasks, are absent.
import { token } from '../../kernel/token';
import type { CatalogueEvidence, CatalogueProject, CatalogueTask } from '../domain/catalogue-entry';
import type { Content } from '../domain/content';

export interface EvidenceFromDrive {
  readonly projectId: string;
  readonly taskId: string | null;
  readonly name: string;
  readonly mimeType: string;
  readonly driveFileId: string;
}

export interface Catalogue {
  /** All that are not archived, page by page. */
  projects(tenantId: number): AsyncIterable<CatalogueProject>;
  project(tenantId: number, projectId: string): Promise<CatalogueProject | null>;
  tasks(tenantId: number, projectId: string): Promise<CatalogueTask[]>;
  task(tenantId: number, taskId: string): Promise<CatalogueTask | null>;
  /** Of a task, or with null of the project's evidence without a task. Page by page; deleted ones are left out. */
  evidenceOf(tenantId: number, projectId: string, taskId: string | null): AsyncIterable<CatalogueEvidence>;
  /** Deleted ones are found. */
  evidence(tenantId: number, evidenceId: string): Promise<CatalogueEvidence | null>;
  byDriveFile(tenantId: number, driveFileId: string): Promise<CatalogueEvidence | null>;
  /** One Drive file is one piece of evidence: whoever was here before is answered. Null: its project or task is closed. */
  add(tenantId: number, evidence: EvidenceFromDrive, content: Content, now: Date): Promise<CatalogueEvidence | null>;
  replaceContent(
    tenantId: number,
    evidenceId: string,
    mimeType: string,
    content: Content,
    now: Date,
  ): Promise<CatalogueEvidence>;
  rename(tenantId: number, evidenceId: string, name: string, now: Date): Promise<CatalogueEvidence>;
  move(tenantId: number, evidenceId: string, taskId: string | null, now: Date): Promise<CatalogueEvidence>;
  softDelete(tenantId: number, evidenceId: string, now: Date): Promise<void>;
  restore(tenantId: number, evidenceId: string, now: Date): Promise<void>;
  content(tenantId: number, evidenceId: string): Promise<Content>;
  linkFile(tenantId: number, evidenceId: string, driveFileId: string | null): Promise<void>;
  linkFolder(tenantId: number, kind: 'project' | 'task', subjectId: string, folderId: string | null): Promise<void>;
  /** Answers the name as it was stored. */
  renameFolder(tenantId: number, kind: 'project' | 'task', subjectId: string, name: string, now: Date): Promise<string>;
}

export const Catalogue = token<Catalogue>('Catalogue');
