// Test support, Drive emulator. Accounts and their grants: consent, codes with PKCE, refresh, revocation.
import { createHash, randomBytes } from 'node:crypto';

export interface Grant {
  readonly account: string;
  readonly refreshToken: string;
  readonly scope: string;
  revoked: boolean;
}

interface Code {
  readonly grant: Grant;
  readonly challenge: string;
  readonly redirectUri: string;
}

export const CLIENT = { id: 'emulated-client', secret: 'emulated-secret-of-the-client' };

export class EmulatedOauth {
  readonly grants: Grant[] = [];
  refreshes = 0;
  /** What the next consent gives instead of what was asked for. */
  narrowedScope: string | undefined;
  accessSeconds = 3_600;
  private readonly codes = new Map<string, Code>();
  private readonly access = new Map<string, { grant: Grant; until: number }>();

  constructor(private readonly now: () => Date) {}

  /** The person says yes: where the browser is sent. */
  consent(query: URLSearchParams, account: string): string {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    const complete =
      query.get('client_id') === CLIENT.id &&
      query.get('response_type') === 'code' &&
      query.get('access_type') === 'offline' &&
      query.get('code_challenge_method') === 'S256';
    if (!complete) {
      back.searchParams.set('error', 'invalid_request');
      return back.href;
    }
    const code = `4/${randomBytes(12).toString('hex')}`;
    const scope = this.narrowedScope ?? query.get('scope') ?? '';
    const refreshToken = `1//${randomBytes(24).toString('hex')}`;
    const grant = { account, refreshToken, scope, revoked: false };
    this.grants.push(grant);
    const challenge = query.get('code_challenge') ?? '';
    this.codes.set(code, { grant, challenge, redirectUri: query.get('redirect_uri') ?? '' });
    back.searchParams.set('code', code);
    return back.href;
  }

  token(form: URLSearchParams): { status: number; body: object } {
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    if (form.get('grant_type') === 'refresh_token') {
      this.refreshes += 1;
      const grant = this.grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'));
      return grant === undefined || grant.revoked ? DEAD : { status: 200, body: this.accessFor(grant) };
    }
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code === undefined || code.challenge !== verifier || code.redirectUri !== form.get('redirect_uri')) return DEAD;
    return { status: 200, body: { ...this.accessFor(code.grant), refresh_token: code.grant.refreshToken } };
  }

  revoke(token: string): number {
    const grant = this.grants.find(({ refreshToken }) => refreshToken === token) ?? this.access.get(token)?.grant;
    if (grant === undefined || grant.revoked) return 400;
    this.revokeAccount(grant.account);
    return 200;
  }

  /** As a person does in the account's settings: every grant of the account to this client ends. */
  revokeAccount(account: string): void {
    for (const grant of this.grants) if (grant.account === account) grant.revoked = true;
  }

  /** Access tokens given so far answer 401 from now on; refreshing works. */
  dropAccess(): void {
    this.access.clear();
  }

  accountOf(authorization: string | undefined): string | undefined {
    const found = this.access.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
    return found === undefined || found.grant.revoked || found.until < this.now().getTime()
      ? undefined
      : found.grant.account;
  }

  private accessFor(grant: Grant): object {
    const token = `ya29.${randomBytes(24).toString('hex')}`;
    this.access.set(token, { grant, until: this.now().getTime() + this.accessSeconds * 1_000 });
    return { access_token: token, expires_in: this.accessSeconds, scope: grant.scope, token_type: 'Bearer' };
  }
}

const DEAD = { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' } };
