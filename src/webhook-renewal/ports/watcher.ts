// Port: connected drives and Drive's calls for channels, which the feature drive-sync has; and the queue that a message
// wakes.
import { token } from '../../kernel/token';

export interface Watched {
  readonly tenantId: number;
  readonly generation: number;
  readonly driveId: string | null;
}

export interface Watcher {
  connected(): Promise<Watched[]>;
  one(tenantId: number): Promise<Watched | null>;
  watch(
    watched: Watched,
    ask: { readonly id: string; readonly address: string; readonly token: string; readonly expiresAt: Date },
    now: Date,
  ): Promise<{ readonly resourceId: string; readonly expiresAt: Date }>;
  /** One that Drive does not know is stopped. */
  stop(tenantId: number, id: string, resourceId: string): Promise<void>;
  /** Stored, when it resolves. */
  changed(tenantId: number, now: Date): Promise<void>;
}

export const Watcher = token<Watcher>('Watcher');
