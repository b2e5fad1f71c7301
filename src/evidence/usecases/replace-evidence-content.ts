// Use case. Puts another file in the place of the one that evidence has.
import type { Actor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import { EvidenceDeletedError, EvidenceNotFoundError } from '../domain/errors';
import type { ChangeOrigin, Evidence } from '../domain/evidence';
import type { EvidencePolicy } from '../domain/evidence-policy';
import { plainMimeType } from '../domain/file-name';
import type { EvidenceRepository } from '../ports/evidence-repository';
import type { FileStore } from '../ports/file-store';

export interface NewContent {
  readonly content: AsyncIterable<Uint8Array>;
  readonly mimeType?: string;
}

export class ReplaceEvidenceContent {
  constructor(
    private readonly evidence: EvidenceRepository,
    private readonly files: FileStore,
    private readonly policy: EvidencePolicy,
    private readonly ids: Ids,
  ) {}

  /** Under a new key, so that whoever is reading the old bytes reads them to their end. */
  async run(actor: Actor, evidenceId: string, input: NewContent, origin: ChangeOrigin, now: Date): Promise<Evidence> {
    const known = await this.evidence.find(actor, evidenceId);
    if (known === null) throw new EvidenceNotFoundError(evidenceId);
    if (known.deletedAt !== null) throw new EvidenceDeletedError(evidenceId);
    const key = `${known.tenantId}/${prefixedId('evidence-', this.ids)}`;
    const stored = await this.files.write(key, input.content, this.policy.maxFileBytes);
    const content = {
      ...stored,
      mimeType: input.mimeType === undefined ? known.mimeType : plainMimeType(input.mimeType),
    };
    const changed = await this.evidence
      .replaceContent(actor, evidenceId, content, origin, now)
      .catch(async (error: unknown) => {
        await this.files.remove(key).catch(() => undefined);
        throw error;
      });
    if (changed === null) {
      await this.files.remove(key);
      throw new EvidenceNotFoundError(evidenceId);
    }
    await this.files.remove(changed.replaced).catch(() => undefined);
    return changed.evidence;
  }
}
