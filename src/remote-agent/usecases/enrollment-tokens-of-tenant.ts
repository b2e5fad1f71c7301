// Use case. The tokens that still open something, and the way to withdraw one.
import type { UserActor } from '../../kernel/actor';
import type { EnrollmentToken } from '../domain/enrollment-token';
import { TokenNotFoundError } from '../domain/errors';
import type { EnrollmentTokens } from '../ports/enrollment-tokens';

export class EnrollmentTokensOfTenant {
  constructor(private readonly tokens: EnrollmentTokens) {}

  list(actor: UserActor, now: Date): Promise<EnrollmentToken[]> {
    return this.tokens.list(actor, now);
  }

  async withdraw(actor: UserActor, id: string, now: Date): Promise<void> {
    if (!(await this.tokens.withdraw(actor, id, now))) throw new TokenNotFoundError(id);
  }
}
