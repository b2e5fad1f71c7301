// Use case. A file of an agent becomes evidence, as it comes.
import type { BroughtFile, EvidenceIntake, KeptFile } from '../ports/evidence-intake';
import type { AgentActor } from './authenticate-agent';

export type { KeptFile };

export class TakeEvidence {
  constructor(private readonly intake: EvidenceIntake) {}

  run(agent: AgentActor, file: BroughtFile, now: Date): Promise<KeptFile> {
    return this.intake.take(agent, file, now);
  }
}
