// Outbound adapter. Gives each tenant's jobs one client of Drive, whose access tokens come from access-tokens.ts.
import { systemActor } from '../../kernel/actor';
import type { Sealing } from '../../platform/crypto';
import type { Sessions } from '../../platform/persistence/sessions';
import { DriveNotConfiguredError, NotConnectedError } from '../domain/errors';
import type { Drive, Drives } from '../ports/drive';
import { AccessTokens } from './access-tokens';
import type { GoogleClient } from './google-client';
import { GoogleDrive } from './google-drive';

const SYSTEM = systemActor('drive: client');
const GRANT = `
  select generation, drive_id, status from tenant_drive_integrations where tenant_id = $1 and refresh_token is not null`;

interface GrantRow {
  readonly generation: number;
  readonly drive_id: string | null;
  readonly status: string;
}

export class GoogleDrives implements Drives {
  private readonly open = new Map<number, GoogleDrive>();
  private readonly tokens: AccessTokens | null;

  constructor(
    private readonly sessions: Sessions,
    sealing: Sealing,
    private readonly google: GoogleClient | null,
  ) {
    this.tokens = google === null ? null : new AccessTokens(sessions, sealing, google);
  }

  async of(tenantId: number): Promise<Drive> {
    if (this.google === null || this.tokens === null) throw new DriveNotConfiguredError();
    const [grant] = await this.sessions.run(SYSTEM, (tx) => tx.query<GrantRow>(GRANT, [tenantId]));
    if (grant?.status !== 'CONNECTED') throw new NotConnectedError();
    const { generation } = grant;
    const known = this.open.get(tenantId);
    if (known?.generation === generation) return known;
    const { tokens } = this;
    const oauth = this.google.oauth();
    let refused: string | undefined;
    oauth.refreshHandler = () => tokens.get({ tenantId, generation }, refused);
    const drive = new GoogleDrive(
      tenantId,
      generation,
      grant.drive_id,
      this.google,
      oauth,
      (token) => (refused = token),
    );
    this.open.set(tenantId, drive);
    return drive;
  }
}
