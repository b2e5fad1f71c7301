// Port. Where files of agents go: they are evidence of a project of the agent's tenant.
import { token } from '../../kernel/token';
import type { AgentIdentity } from '../domain/identity';

export interface BroughtFile {
  readonly projectId: string;
  readonly taskId: string | null;
  readonly name: string;
  readonly mimeType: string;
  /** As the agent has counted it, hexadecimal; undefined: it did not say. */
  readonly sha256: string | undefined;
  /** Read once, as it comes. When it fails, nothing is kept. */
  readonly content: AsyncIterable<Uint8Array>;
}

export interface KeptFile {
  readonly evidenceId: string;
  readonly projectId: string;
  readonly taskId: string | null;
  readonly name: string;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

export interface EvidenceIntake {
  /**
   * Throws ChecksumMismatchError when what arrives is not what was announced, not-found for a project of another tenant,
   * too-large beyond what evidence may be: nothing is kept then.
   */
  take(agent: AgentIdentity, file: BroughtFile, now: Date): Promise<KeptFile>;
}

export const EvidenceIntake = token<EvidenceIntake>('EvidenceIntake');
