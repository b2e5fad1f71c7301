// Outbound adapter: files of agents become evidence, through the front door of the feature evidence. The agent acts as
// somebody of its tenant who has no role: it sees no other tenant's project.
import { createHash } from 'node:crypto';
import type { UserActor } from '../../kernel/actor';
import type { AddEvidence } from '../../evidence';
import { ChecksumMismatchError } from '../domain/errors';
import type { AgentIdentity } from '../domain/identity';
import type { BroughtFile, EvidenceIntake, KeptFile } from '../ports/evidence-intake';

export class EvidenceOfAgents implements EvidenceIntake {
  constructor(private readonly add: AddEvidence) {}

  async take(
    { tenantId, agentId }: AgentIdentity,
    { sha256, content, ...file }: BroughtFile,
    now: Date,
  ): Promise<KeptFile> {
    const actor: UserActor = { type: 'user', tenantId, userId: `agent:${agentId}`, roles: [] };
    const input = { ...file, content: sha256 === undefined ? content : checked(content, sha256.toLowerCase()) };
    const { id: evidenceId, ...kept } = await this.add.run(actor, { ...input, source: 'agent' }, now);
    return { evidenceId, ...kept };
  }
}

async function* checked(content: AsyncIterable<Uint8Array>, sha256: string): AsyncIterable<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
  const arrived = hash.digest('hex');
  if (arrived !== sha256) throw new ChecksumMismatchError(arrived);
}
