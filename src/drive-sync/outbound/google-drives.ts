// Outbound adapter. Gives each tenant's jobs one client of Drive, hence one refresh at a time.
import { systemActor } from '../../kernel/actor';
import type { Sealing } from '../../platform/crypto';
import type { Sessions } from '../../platform/persistence/sessions';
import { DriveNotConfiguredError, NotConnectedError } from '../domain/errors';
import type { Drive, Drives } from '../ports/drive';
import type { GoogleClient, OAuthClient } from './google-client';
import { GoogleDrive } from './google-drive';
import { REFRESH_TOKEN } from './integration.row';

const SYSTEM = systemActor('drive: client');
const GRANT = `
  select generation, drive_id, status from tenant_drive_integrations where tenant_id = $1 and refresh_token is not null`;
const SECRET = `select refresh_token from tenant_drive_integrations where tenant_id = $1 and generation = $2`;
const NEW_SECRET = `
  update tenant_drive_integrations set refresh_token = $3 where tenant_id = $1 and generation = $2 and status = 'CONNECTED'`;

export class GoogleDrives implements Drives {
  private readonly open = new Map<number, GoogleDrive>();

  constructor(
    private readonly sessions: Sessions,
    private readonly sealing: Sealing,
    private readonly google: GoogleClient | null,
  ) {}

  async of(tenantId: number): Promise<Drive> {
    if (this.google === null) throw new DriveNotConfiguredError();
    const [grant] = await this.sessions.run(SYSTEM, (tx) =>
      tx.query<{ generation: number; drive_id: string | null; status: string }>(GRANT, [tenantId]),
    );
    if (grant?.status !== 'CONNECTED') throw new NotConnectedError();
    const known = this.open.get(tenantId);
    if (known?.generation === grant.generation) return known;
    const refreshToken = await this.refreshToken(tenantId, grant.generation);
    // Somebody else may have made it while the token was read.
    const meanwhile = this.open.get(tenantId);
    if (meanwhile?.generation === grant.generation) return meanwhile;
    const oauth = this.google.oauth(refreshToken);
    this.keepRotated(oauth, tenantId, grant.generation);
    const drive = new GoogleDrive(tenantId, grant.generation, grant.drive_id, this.google, oauth);
    this.open.set(tenantId, drive);
    return drive;
  }

  async refreshToken(tenantId: number, generation: number): Promise<string> {
    const [row] = await this.sessions.run(SYSTEM, (tx) =>
      tx.query<{ refresh_token: Buffer }>(SECRET, [tenantId, generation]),
    );
    if (row === undefined) throw new NotConnectedError();
    return this.sealing.openText(REFRESH_TOKEN, tenantId, row.refresh_token);
  }

  /** Google seldom gives a new refresh token; when it does, the old one may end. */
  private keepRotated(oauth: OAuthClient, tenantId: number, generation: number): void {
    oauth.on('tokens', ({ refresh_token }) => {
      if (typeof refresh_token !== 'string') return;
      const sealed = this.sealing.seal(REFRESH_TOKEN, tenantId, refresh_token);
      this.sessions.run(SYSTEM, (tx) => tx.query(NEW_SECRET, [tenantId, generation, sealed])).catch(() => undefined);
    });
  }
}
