// Use case. A person accepts, corrects or rejects what the classifier suggested.
import type { UserActor } from '../../kernel/actor';
import type { ClassifiedFile, Decision } from '../domain/classification-run';
import { FileNotInRunError, InvalidClassificationError, RunNotFoundError } from '../domain/errors';
import type { EvidenceCatalogue } from '../ports/evidence-catalogue';
import type { RunRepository } from '../ports/run-repository';

export class ReviewSuggestion {
  constructor(
    private readonly runs: RunRepository,
    private readonly catalogue: EvidenceCatalogue,
  ) {}

  /** To the evidence first: it is what counts; the run only remembers. Saying it again changes nothing that matters. */
  async run(
    actor: UserActor,
    runId: string,
    evidenceId: string,
    review: { readonly decision: Decision; readonly controlFamily?: string | null },
    now: Date,
  ): Promise<ClassifiedFile> {
    if ((await this.runs.find(actor, runId)) === null) throw new RunNotFoundError(runId);
    const file = (await this.runs.files(actor, runId)).find((one) => one.evidenceId === evidenceId);
    if (file === undefined) throw new FileNotInRunError(evidenceId);
    const controlFamily = familyOf(file, review.decision, review.controlFamily ?? null);
    await this.catalogue.review(actor, evidenceId, { decision: review.decision, controlFamily }, now);
    const noted = { decision: review.decision, controlFamily, by: actor.userId };
    const reviewed = await this.runs.review(actor, runId, evidenceId, noted, now);
    if (reviewed === null) throw new FileNotInRunError(evidenceId);
    return reviewed;
  }
}

function familyOf(file: ClassifiedFile, decision: Decision, said: string | null): string | null {
  if (decision === 'rejected') return null;
  if (decision === 'corrected') {
    if (said === null) throw new InvalidClassificationError('control_family', 'control_family is required to correct.');
    return said;
  }
  if (file.controlFamily === null) {
    throw new InvalidClassificationError('decision', 'There is no suggestion to accept: correct it, or reject it.');
  }
  return file.controlFamily;
}
