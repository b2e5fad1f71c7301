// Domain. A notification as it is stored and shown.

export interface Notification {
  readonly id: string;
  readonly tenantId: number;
  readonly room: string;
  /** Grows by one in its room: who knows the last one they have seen can ask for the rest. */
  readonly seq: number;
  readonly kind: string;
  readonly title: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly readAt: Date | null;
}

/** A digest keeps this many of what it stands for; it counts all. */
export const DIGEST_ITEMS = 50;

export interface Reload {
  readonly seq: number;
  readonly room: string;
  readonly reason: string | null;
  readonly by: string | null;
  readonly at: Date;
}

export interface Listing {
  readonly unreadOnly: boolean;
  readonly kind?: string;
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}
