// Kernel. Who acts. Every port that stores takes the actor as its first argument; row-level security reads it.

/** What a person may do beyond their own things. `manager` and `operator` are checked at the doors. */
export const ROLES = ['user', 'manager', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** Whose a stored thing is. User ids are opaque strings of the identity provider. */
export interface Owner {
  readonly tenantId: number;
  readonly userId: string;
}

/** A person of a tenant: sees and changes only their own. */
export interface UserActor extends Owner {
  readonly type: 'user';
  readonly roles: readonly Role[];
}

/** The house itself, across tenants. The reason is for logs: why the fence was opened. */
export interface SystemActor {
  readonly type: 'system';
  readonly reason: string;
}

export type Actor = UserActor | SystemActor;

export function systemActor(reason: string): SystemActor {
  return { type: 'system', reason };
}
