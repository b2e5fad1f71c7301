// Use case. Shows evidence, and gives its file.
import type { Actor } from '../../kernel/actor';
import { ContentMissingError, EvidenceDeletedError, EvidenceNotFoundError } from '../domain/errors';
import type { Evidence } from '../domain/evidence';
import type { EvidenceFilter, PageRequest } from '../domain/listing';
import type { EvidenceRepository } from '../ports/evidence-repository';
import type { FileStore } from '../ports/file-store';

export interface EvidenceContent {
  readonly evidence: Evidence;
  readonly content: AsyncIterable<Uint8Array>;
}

export class ReadEvidence {
  constructor(
    private readonly evidence: EvidenceRepository,
    private readonly files: FileStore,
  ) {}

  /** Also a deleted one: its `deletedAt` says so. */
  async one(actor: Actor, evidenceId: string): Promise<Evidence> {
    const found = await this.evidence.find(actor, evidenceId);
    if (found === null) throw new EvidenceNotFoundError(evidenceId);
    return found;
  }

  list(actor: Actor, filter: EvidenceFilter, page: PageRequest): Promise<Evidence[]> {
    return this.evidence.list(actor, filter, page);
  }

  /** Also a deleted one. Null: no evidence of this tenant comes from that file. */
  byDriveFile(actor: Actor, tenantId: number, driveFileId: string): Promise<Evidence | null> {
    return this.evidence.findByDriveFile(actor, tenantId, driveFileId);
  }

  async content(actor: Actor, evidenceId: string): Promise<EvidenceContent> {
    const evidence = await this.one(actor, evidenceId);
    if (evidence.deletedAt !== null) throw new EvidenceDeletedError(evidenceId);
    const content = await this.files.read(evidence.storageKey);
    if (content === null) throw new ContentMissingError(evidenceId);
    return { evidence, content };
  }
}
