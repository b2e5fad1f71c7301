// Auth, domain. What can go wrong with who somebody is. All but the last group say "sign in again", for a stated reason.
import { DomainError } from '../../../kernel/domain-error';

export class NotSignedInError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.not-signed-in';
  constructor() {
    super('Sign in: send a token or an API key as `Authorization: Bearer …`.');
  }
}

export class TokenInvalidError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.token-invalid';
  /** @param reason which part is not accepted; never what would have been */
  constructor(reason: string, cause?: unknown) {
    super(`The token is not accepted: ${reason}.`, { cause });
  }
}

export class TokenExpiredError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.token-expired';
  constructor() {
    super('The token has expired; get a new one.');
  }
}

/** Unknown, revoked and expired keys are not told apart: whoever guesses learns nothing. */
export class ApiKeyInvalidError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.api-key-invalid';
  constructor() {
    super('The API key is not accepted: it is unknown, revoked or expired.');
  }
}

export class UnknownTenantError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.unknown-tenant';
  constructor() {
    super('The token belongs to a tenant that does not exist here.');
  }
}

export class IdentityProviderUnreachableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'auth.identity-provider-unreachable';
  constructor(cause: unknown) {
    super('The identity provider’s keys cannot be fetched at the moment; try again in a few seconds.', { cause });
  }
}

export class RoleRequiredError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'auth.role-required';
  constructor(roles: readonly string[]) {
    super(`This needs the role ${roles.join(' or ')}.`);
  }
}

// -- Refusals of administration ------------------------------------------------------------------

export class IdentityInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'auth.identity-invalid';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

export class RoleNotHeldError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'auth.role-not-held';
  constructor(role: string) {
    super(`A key cannot have the role ${role}, which you do not have yourself.`, { field: 'roles' });
  }
}

export class TenantNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'auth.tenant-not-found';
  constructor(tenantId: number) {
    super(`There is no tenant ${tenantId}; \`horarium tenant list\` shows those there are.`, { field: 'tenant' });
  }
}

export class TenantNameTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'auth.tenant-name-taken';
  constructor(name: string) {
    super(`There is a tenant named ${JSON.stringify(name)} already.`, { field: 'name' });
  }
}

export class ApiKeyNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'auth.api-key-not-found';
  constructor() {
    super('There is no such API key, or it is not yours, or it is revoked already.');
  }
}

export class NoSigningSecretError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'auth.no-signing-secret';
  constructor() {
    super(
      'Tokens are not made here: HORARIUM_JWT_SECRET is not set. Your identity provider makes them, or make an API key.',
    );
  }
}
