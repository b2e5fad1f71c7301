// Outbound adapter: consent and grants at Google, with PKCE.
import { createHash, randomBytes } from 'node:crypto';
import { systemActor } from '../../kernel/actor';
import type { Sealing } from '../../platform/crypto';
import type { Sessions } from '../../platform/persistence/sessions';
import { ConsentRefusedError, DriveNotConfiguredError } from '../domain/errors';
import type { Grant } from '../domain/integration';
import type { ConsentAsk, Consents } from '../ports/consents';
import { type GoogleClient, problem } from './google-client';
import { GoogleDrive } from './google-drive';
import { REFRESH_TOKEN } from './integration.row';

const SYSTEM = systemActor('drive: grant');
const SECRET = `select refresh_token from tenant_drive_integrations where tenant_id = $1 and refresh_token is not null`;

export class GoogleConsents implements Consents {
  constructor(
    private readonly sessions: Sessions,
    private readonly sealing: Sealing,
    private readonly google: GoogleClient | null,
  ) {}

  secrets(): ConsentAsk {
    return { state: randomBytes(32).toString('base64url'), verifier: randomBytes(48).toString('base64url') };
  }

  url({ state, verifier }: ConsentAsk, loginHint?: string): string {
    const google = this.configured();
    return google.oauth().generateAuthUrl({
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: false,
      scope: google.settings.scope,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256' as never,
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    });
  }

  async redeem(code: string, verifier: string, driveId: string | null): Promise<Grant> {
    const google = this.configured();
    const oauth = google.oauth();
    const tokens = await oauth.getToken({ code, codeVerifier: verifier }).then(
      (answer) => answer.tokens,
      (error: unknown) => {
        throw problem(error, 'consent');
      },
    );
    const given = (tokens.scope ?? '').split(' ');
    const missing = google.settings.scope.split(' ').filter((scope) => !given.includes(scope));
    if (missing.length > 0) throw new ConsentRefusedError(`not given: ${missing.join(' ')}`);
    if (typeof tokens.refresh_token !== 'string') throw new ConsentRefusedError('no access while you are away');
    oauth.setCredentials(tokens);
    const drive = new GoogleDrive(0, 0, driveId, google, oauth);
    const accountEmail = await accountOf(google, oauth);
    const startPageToken = await drive.startPageToken();
    return { refreshToken: tokens.refresh_token, scope: tokens.scope ?? '', accountEmail, startPageToken };
  }

  async revoke(tenantId: number): Promise<void> {
    if (this.google === null) return;
    const [row] = await this.sessions.run(SYSTEM, (tx) => tx.query<{ refresh_token: Buffer }>(SECRET, [tenantId]));
    if (row === undefined) return;
    const token = this.sealing.openText(REFRESH_TOKEN, tenantId, row.refresh_token);
    await this.google
      .oauth()
      .revokeToken(token)
      .catch(() => undefined);
  }

  private configured(): GoogleClient {
    if (this.google === null) throw new DriveNotConfiguredError();
    return this.google;
  }
}

async function accountOf(google: GoogleClient, oauth: ReturnType<GoogleClient['oauth']>): Promise<string> {
  try {
    const { data } = await google.api(oauth).about.get({ fields: 'user(emailAddress)' }, google.perCall());
    return data.user?.emailAddress ?? 'unknown';
  } catch (error) {
    throw problem(error, 'about.get');
  }
}
