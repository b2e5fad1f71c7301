// Use case. Takes evidence out of every list; nothing of it is lost.
import type { Actor } from '../../kernel/actor';
import { EvidenceNotFoundError } from '../domain/errors';
import type { ChangeOrigin, Evidence } from '../domain/evidence';
import type { EvidenceRepository } from '../ports/evidence-repository';

export class SoftDeleteEvidence {
  constructor(private readonly evidence: EvidenceRepository) {}

  /** Gone from every list, kept with its file; again changes nothing. */
  async run(actor: Actor, evidenceId: string, origin: ChangeOrigin, now: Date): Promise<Evidence> {
    const deleted = await this.evidence.softDelete(actor, evidenceId, origin, now);
    if (deleted === null) throw new EvidenceNotFoundError(evidenceId);
    return deleted;
  }
}
