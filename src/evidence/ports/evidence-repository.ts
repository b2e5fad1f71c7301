// Port. What is known of evidence; the bytes are in the FileStore. Every change and its event are stored together.
import type { Actor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { ChangeOrigin, Evidence, ReviewDecision, StoredContent } from '../domain/evidence';
import type { EvidenceFilter, PageRequest } from '../domain/listing';

export interface EvidenceRepository {
  /**
   * Throws DriveFileTakenError when the tenant has evidence of this Drive file, ProjectArchivedError when the project was
   * archived and ProjectTaskNotFoundError when the task was deleted in the meantime.
   */
  add(actor: Actor, evidence: Evidence, origin: ChangeOrigin): Promise<void>;

  /** Null: absent, or of another tenant. Deleted ones are found. */
  find(actor: Actor, evidenceId: string): Promise<Evidence | null>;

  /** Deleted ones are found, too: a file that comes back in Drive is restored, not imported again. */
  findByDriveFile(actor: Actor, tenantId: number, driveFileId: string): Promise<Evidence | null>;

  /** Of the actor's tenant (the system: of all), newest first. */
  list(actor: Actor, filter: EvidenceFilter, page: PageRequest): Promise<Evidence[]>;

  /** What is absent stays; what is the same already tells nobody. Null: absent or deleted. */
  change(
    actor: Actor,
    evidenceId: string,
    change: { readonly name?: string; readonly taskId?: string | null },
    origin: ChangeOrigin,
    now: Date,
  ): Promise<Evidence | null>;

  /** Answers the evidence and the content that nothing points to any more. Null: absent or deleted. */
  replaceContent(
    actor: Actor,
    evidenceId: string,
    content: StoredContent & { readonly mimeType: string },
    origin: ChangeOrigin,
    now: Date,
  ): Promise<{ evidence: Evidence; replaced: string } | null>;

  /** Once: again changes nothing. Null: absent. */
  softDelete(actor: Actor, evidenceId: string, origin: ChangeOrigin, now: Date): Promise<Evidence | null>;

  /** Once: again changes nothing. Null: absent. */
  restore(actor: Actor, evidenceId: string, origin: ChangeOrigin, now: Date): Promise<Evidence | null>;

  /**
   * A decision about its family, by whom and when. With a family it goes to the oldest task of its project that has this
   * family, unless it belongs to a task. Null: absent or deleted.
   */
  review(
    actor: Actor,
    evidenceId: string,
    review: { readonly decision: ReviewDecision; readonly controlFamily: string | null; readonly by: string },
    now: Date,
  ): Promise<Evidence | null>;

  /** Null takes the link away. Throws DriveFileTakenError. Tells nobody. */
  linkDriveFile(actor: Actor, evidenceId: string, driveFileId: string | null): Promise<boolean>;
}

export const EvidenceRepository = token<EvidenceRepository>('EvidenceRepository');
