// Auth, domain. A tenant: the widest fence there is.

export interface Tenant {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
}
