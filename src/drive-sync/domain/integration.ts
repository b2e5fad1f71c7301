// Domain: a tenant's connection to Google Drive.

export const INTEGRATION_STATUSES = ['DISCONNECTED', 'CONNECTED', 'NEEDS_RECONNECT'] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

export interface Integration {
  readonly tenantId: number;
  readonly status: IntegrationStatus;
  /** Grows with every connection: what was begun under an older one no longer counts. */
  readonly generation: number;
  readonly accountEmail: string | null;
  /** The shared drive that it lives in; null: My Drive of the account. */
  readonly driveId: string | null;
  readonly rootFolderId: string | null;
  readonly pageToken: string | null;
  readonly slowUntil: Date | null;
  readonly slowSteps: number;
  readonly lastSyncAt: Date | null;
  readonly lastError: string | null;
  readonly connectedBy: string | null;
  readonly connectedAt: Date | null;
}

/** What a consent brought. */
export interface Grant {
  readonly refreshToken: string;
  readonly scope: string;
  readonly accountEmail: string;
  /** Taken before anything is read, so that no change between is lost. */
  readonly startPageToken: string;
}
