// Outbound adapter. Evidence, through its front door.
import type { Actor, SystemActor, UserActor } from '../../kernel/actor';
import {
  EvidenceDeletedError,
  EvidenceNotFoundError,
  ReadEvidence,
  ReadProjects,
  ReviewEvidence,
} from '../../evidence';
import type { Decision } from '../domain/classification-run';
import type { EvidenceCatalogue, EvidenceFile } from '../ports/evidence-catalogue';

const PAGE = 200;

export class FrontDoorEvidenceCatalogue implements EvidenceCatalogue {
  constructor(
    private readonly evidence: ReadEvidence,
    private readonly projects: ReadProjects,
    private readonly reviews: ReviewEvidence,
  ) {}

  async checkProject(actor: Actor, projectId: string): Promise<void> {
    await this.projects.one(actor, projectId);
  }

  async files(
    actor: Actor,
    projectId: string,
    only: readonly string[] | undefined,
    limit: number,
  ): Promise<EvidenceFile[]> {
    const filter = only === undefined ? { projectId, status: 'unclassified' as const } : { projectId, ids: only };
    const found: EvidenceFile[] = [];
    for (let after: { createdAt: Date; id: string } | undefined; found.length < limit;) {
      const page = await this.evidence.list(actor, filter, { limit: Math.min(PAGE, limit - found.length), after });
      found.push(...page.map(({ id, name }) => ({ evidenceId: id, name })));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) break;
      after = { createdAt: last.createdAt, id: last.id };
    }
    return found;
  }

  async content(actor: SystemActor, evidenceId: string) {
    try {
      const { evidence, content } = await this.evidence.content(actor, evidenceId);
      return { mimeType: evidence.mimeType, content };
    } catch (error) {
      if (error instanceof EvidenceNotFoundError || error instanceof EvidenceDeletedError) return null;
      throw error;
    }
  }

  async review(
    actor: UserActor,
    evidenceId: string,
    { decision, controlFamily }: { readonly decision: Decision; readonly controlFamily: string | null },
    now: Date,
  ): Promise<void> {
    await this.reviews.run(actor, evidenceId, { decision, controlFamily, by: actor.userId }, now);
  }
}
