// Port. What classification asks of evidence, and tells it.
import type { Actor, SystemActor, UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Decision } from '../domain/classification-run';

export interface EvidenceFile {
  readonly evidenceId: string;
  readonly name: string;
}

export interface EvidenceCatalogue {
  /** Throws when the project is absent, or of another tenant. */
  checkProject(actor: Actor, projectId: string): Promise<void>;

  /** Of the project: all that is unclassified, or these, whatever their status. Deleted ones are left out. */
  files(actor: Actor, projectId: string, only: readonly string[] | undefined, limit: number): Promise<EvidenceFile[]>;

  /** Null: it is gone by now. */
  content(
    actor: SystemActor,
    evidenceId: string,
  ): Promise<{ readonly mimeType: string; readonly content: AsyncIterable<Uint8Array> } | null>;

  review(
    actor: UserActor,
    evidenceId: string,
    review: { readonly decision: Decision; readonly controlFamily: string | null },
    now: Date,
  ): Promise<void>;
}

export const EvidenceCatalogue = token<EvidenceCatalogue>('EvidenceCatalogue');
