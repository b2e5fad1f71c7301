// Use case. Sends a file of this machine as evidence of a project.
import { NotEnrolledError } from '../domain/errors';
import type { EvidenceServer, FileToSend, SentFile } from '../ports/evidence-server';
import type { IdentityStore } from '../ports/identity-store';

export class SendEvidence {
  constructor(
    private readonly store: IdentityStore,
    private readonly server: EvidenceServer,
  ) {}

  async run(file: FileToSend): Promise<SentFile> {
    const identity = await this.store.read();
    if (identity === undefined) throw new NotEnrolledError(this.store.where);
    return this.server.send(identity, file);
  }
}
