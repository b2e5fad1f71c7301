// Use case. Asks for the evidence of a project to be classified.
import type { UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import type { ClassificationPolicy } from '../domain/classification-policy';
import type { ClassificationRun } from '../domain/classification-run';
import { InvalidClassificationError, NothingToClassifyError } from '../domain/errors';
import type { ClassificationSignals } from '../ports/classification-signals';
import type { EvidenceCatalogue } from '../ports/evidence-catalogue';
import type { RunRepository } from '../ports/run-repository';

export interface ClassificationRequest {
  readonly projectId: string;
  /** Absent: all of the project that is unclassified. */
  readonly evidenceIds?: readonly string[];
  readonly image?: string;
}

export class RequestClassification {
  constructor(
    private readonly runs: RunRepository,
    private readonly catalogue: EvidenceCatalogue,
    private readonly signals: ClassificationSignals,
    private readonly policy: ClassificationPolicy,
    private readonly ids: Ids,
  ) {}

  async run(actor: UserActor, request: ClassificationRequest, now: Date): Promise<ClassificationRun> {
    const { projectId, evidenceIds, image = this.policy.images[0] ?? '' } = request;
    await this.catalogue.checkProject(actor, projectId);
    if (!this.policy.images.includes(image)) {
      throw new InvalidClassificationError('image', `image must be one of: ${this.policy.images.join(', ')}.`);
    }
    const files = await this.catalogue.files(actor, projectId, evidenceIds, this.policy.maxFiles);
    const missing = evidenceIds?.find((id) => !files.some(({ evidenceId }) => evidenceId === id));
    if (missing !== undefined) {
      throw new InvalidClassificationError('evidence_ids', `The project has no evidence "${missing}".`);
    }
    if (files.length === 0) throw new NothingToClassifyError();
    const run: ClassificationRun = {
      id: prefixedId('classification-', this.ids),
      tenantId: actor.tenantId,
      projectId,
      status: 'queued',
      reason: null,
      detail: null,
      runner: null,
      image,
      totalFiles: files.length,
      doneFiles: 0,
      failedFiles: 0,
      deadlineAt: null,
      cancelRequestedAt: null,
      createdBy: actor.userId,
      createdAt: now,
      startedAt: null,
      finishedAt: null,
    };
    await this.runs.add(actor, run, files);
    this.signals.queued();
    return run;
  }
}
