// Auth, outbound adapter. JSON Web Tokens (RFC 7519), with the library jose.
import { webcrypto } from 'node:crypto';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import {
  IdentityProviderUnreachableError,
  NoSigningSecretError,
  TokenExpiredError,
  TokenInvalidError,
} from '../domain/errors';
import { type Identity, isOneLine, isTenantId, knownRoles } from '../domain/identity';
import type { Tokens } from '../ports/tokens';

export interface TokenSettings {
  /** Signs and checks tokens of our own. */
  readonly secret?: string;
  /** Public keys of an identity provider. */
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
}

/**
 * Which algorithm goes with which key is fixed: were it the token's choice, anyone could sign with the provider's
 * public key as if it were our secret, or not at all (alg none).
 */
const WITH_SECRET = ['HS256'];
const WITH_PUBLIC_KEYS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Clocks of identity providers are nearly right. */
const TOLERANCE_SECONDS = 5;
const KEYS_TIMEOUT_MS = 5_000;

type SecretKey = webcrypto.CryptoKey;
type VerifyKey = ReturnType<typeof createRemoteJWKSet> | SecretKey;

export class JoseTokens implements Tokens {
  /** Made a key once: of any other form the library makes one for each token. */
  private readonly secret?: Promise<SecretKey>;
  private readonly publicKeys?: ReturnType<typeof createRemoteJWKSet>;

  constructor(private readonly settings: TokenSettings) {
    if (settings.secret !== undefined) this.secret = hmacKey(settings.secret);
    if (settings.jwksUrl !== undefined) {
      this.publicKeys = createRemoteJWKSet(new URL(settings.jwksUrl), { timeoutDuration: KEYS_TIMEOUT_MS });
    }
  }

  async verify(text: string, now: Date): Promise<Identity> {
    const { key, algorithms } = await this.keyFor(text);
    try {
      const { payload } = await jwtVerify(text, key as Parameters<typeof jwtVerify>[1], {
        algorithms,
        currentDate: now,
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'sub', 'tenant_id'],
        ...(this.settings.issuer === undefined ? {} : { issuer: this.settings.issuer }),
        ...(this.settings.audience === undefined ? {} : { audience: this.settings.audience }),
      });
      return claimed(payload);
    } catch (error) {
      throw refusal(error, key === this.publicKeys);
    }
  }

  endOf(text: string): Date {
    const { exp = 0 } = decodeJwt(text);
    return new Date(exp * 1_000);
  }

  async issue(identity: Identity, now: Date, expiresAt: Date): Promise<string> {
    if (this.secret === undefined) throw new NoSigningSecretError();
    const token = new SignJWT({ tenant_id: identity.tenantId, roles: [...identity.roles] })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(identity.userId)
      .setIssuedAt(now)
      .setExpirationTime(expiresAt);
    if (this.settings.issuer !== undefined) token.setIssuer(this.settings.issuer);
    if (this.settings.audience !== undefined) token.setAudience(this.settings.audience);
    return token.sign(await this.secret);
  }

  private async keyFor(text: string): Promise<{ key: VerifyKey; algorithms: string[] }> {
    let algorithm: string | undefined;
    try {
      algorithm = decodeProtectedHeader(text).alg;
    } catch (error) {
      throw new TokenInvalidError('it is no JSON Web Token, and no API key', error);
    }
    if (algorithm !== undefined && WITH_SECRET.includes(algorithm) && this.secret !== undefined) {
      return { key: await this.secret, algorithms: WITH_SECRET };
    }
    if (algorithm !== undefined && WITH_PUBLIC_KEYS.includes(algorithm) && this.publicKeys !== undefined) {
      return { key: this.publicKeys, algorithms: WITH_PUBLIC_KEYS };
    }
    throw new TokenInvalidError('its algorithm is not one of those in use here');
  }
}

function hmacKey(secret: string): Promise<SecretKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', Buffer.from(secret, 'utf8'), algorithm, false, ['sign', 'verify']);
}

function claimed({ sub, tenant_id: tenantId, roles }: JWTPayload): Identity {
  if (!isOneLine(sub)) throw new TokenInvalidError('claim sub must be 1 to 255 characters on one line');
  if (!isTenantId(tenantId)) throw new TokenInvalidError('claim tenant_id must be a whole number');
  if (roles !== undefined && !Array.isArray(roles)) throw new TokenInvalidError('claim roles must be a list');
  return { userId: sub, tenantId, roles: roles === undefined ? ['user'] : knownRoles(roles) };
}

function refusal(error: unknown, keysAreFetched: boolean): unknown {
  if (error instanceof TokenInvalidError) return error;
  if (error instanceof errors.JWTExpired) return new TokenExpiredError();
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new TokenInvalidError(`claim ${error.claim} is missing or not the right one`, error);
  }
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey) {
    return new TokenInvalidError('its signature is not from a key that is trusted here', error);
  }
  if (keysAreFetched && isAboutKeys(error)) return new IdentityProviderUnreachableError(error);
  return error instanceof errors.JOSEError ? new TokenInvalidError('it is malformed', error) : error;
}

/** Fetching keys fails with a timeout, a bare JOSEError (status, no JSON), or whatever fetch throws. */
function isAboutKeys(error: unknown): boolean {
  return (
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError ? error.code === 'ERR_JOSE_GENERIC' : true)
  );
}
