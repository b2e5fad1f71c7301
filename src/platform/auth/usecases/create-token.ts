// Auth, use case. For those who may make tokens at all: the operator at the command line, and the first start.
import { TenantNotFoundError } from '../domain/errors';
import { identity } from '../domain/identity';
import { after, lifetime } from '../domain/lifetime';
import type { TenantRepository } from '../ports/tenant-repository';
import type { Tokens } from '../ports/tokens';

export interface CreateTokenInput {
  readonly tenantId: number;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly ttlSeconds: number;
}

export class CreateToken {
  constructor(
    private readonly tokens: Tokens,
    private readonly tenants: TenantRepository,
  ) {}

  async run(input: CreateTokenInput, now: Date): Promise<{ token: string; expiresAt: Date }> {
    const bearer = identity(input);
    const expiresAt = after(now, lifetime(input.ttlSeconds));
    if (!(await this.tenants.exists(bearer.tenantId, now))) throw new TenantNotFoundError(bearer.tenantId);
    return { token: await this.tokens.issue(bearer, now, expiresAt), expiresAt };
  }
}
