// Domain: the limits that the operator set. The module fills it from the configuration.
import { token } from '../../kernel/token';

export interface SyncPolicy {
  /** Between two looks at the queue, while there is work. */
  readonly intervalMs: number;
  readonly batchSize: number;
  readonly leaseSeconds: number;
  readonly pollMinutes: number;
  readonly retentionDays: number;
  readonly maxFileBytes: number;
  readonly rootFolderName: string;
}

export const SyncPolicy = token<SyncPolicy>('SyncPolicy');
