// Use case. Brings deleted evidence back.
import type { Actor } from '../../kernel/actor';
import { EvidenceNotFoundError } from '../domain/errors';
import type { ChangeOrigin, Evidence } from '../domain/evidence';
import type { EvidenceRepository } from '../ports/evidence-repository';

export class RestoreEvidence {
  constructor(private readonly evidence: EvidenceRepository) {}

  /** As it was before it was deleted; again changes nothing. */
  async run(actor: Actor, evidenceId: string, origin: ChangeOrigin, now: Date): Promise<Evidence> {
    const restored = await this.evidence.restore(actor, evidenceId, origin, now);
    if (restored === null) throw new EvidenceNotFoundError(evidenceId);
    return restored;
  }
}
