// Port. Where files of this machine go as evidence.
import { token } from '../../kernel/token';
import type { KeptIdentity } from '../domain/identity';

export interface FileToSend {
  readonly path: string;
  readonly projectId: string;
  readonly taskId?: string;
  /** In place of the file's own name. */
  readonly name?: string;
}

export interface SentFile {
  readonly evidenceId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface EvidenceServer {
  /** As a stream: a file may be larger than the memory. Its checksum goes before it, and is checked where it arrives. */
  send(identity: KeptIdentity, file: FileToSend): Promise<SentFile>;
}

export const EvidenceServer = token<EvidenceServer>('EvidenceServer');
