// Use case. A person says to which family of controls evidence belongs.
import type { Actor } from '../../kernel/actor';
import { EvidenceNotFoundError, InvalidEvidenceError } from '../domain/errors';
import type { Evidence, ReviewDecision } from '../domain/evidence';
import { checkedFamily } from '../domain/names';
import type { EvidenceRepository } from '../ports/evidence-repository';

export interface EvidenceReview {
  readonly decision: ReviewDecision;
  /** Of a decision that accepts or corrects. */
  readonly controlFamily: string | null;
  readonly by: string;
}

export class ReviewEvidence {
  constructor(private readonly evidence: EvidenceRepository) {}

  async run(actor: Actor, evidenceId: string, review: EvidenceReview, now: Date): Promise<Evidence> {
    const controlFamily = review.decision === 'rejected' ? null : checkedFamily(review.controlFamily);
    if (review.decision !== 'rejected' && controlFamily === null) {
      throw new InvalidEvidenceError('control_family', 'control_family is required unless a suggestion is rejected.');
    }
    const reviewed = await this.evidence.review(actor, evidenceId, { ...review, controlFamily }, now);
    if (reviewed === null) throw new EvidenceNotFoundError(evidenceId);
    return reviewed;
  }
}
