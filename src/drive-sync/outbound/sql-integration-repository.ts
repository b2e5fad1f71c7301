// Outbound adapter, owns the tables tenant_drive_integrations and drive_consents. Refresh tokens are sealed here, and read
// again by access-tokens.ts, and by google-consents.ts to end them.
import { createHash } from 'node:crypto';
import { systemActor, type Actor, type UserActor } from '../../kernel/actor';
import type { Sealing } from '../../platform/crypto';
import { appendEvents } from '../../platform/outbox';
import type { Sessions } from '../../platform/persistence/sessions';
import type { Grant, Integration } from '../domain/integration';
import type { Consent, IntegrationRepository } from '../ports/integration-repository';
import { INTEGRATION_COLUMNS, REFRESH_TOKEN, VERIFIER, toIntegration, type IntegrationRow } from './integration.row';

const SYSTEM = systemActor('drive: connection');

const FIND = `select ${INTEGRATION_COLUMNS} from tenant_drive_integrations i where i.tenant_id = $1`;
const CONNECTED = `
  select ${INTEGRATION_COLUMNS} from tenant_drive_integrations i where i.status = 'CONNECTED' order by i.tenant_id`;
const BEGIN = `
  insert into drive_consents (state_hash, tenant_id, user_id, drive_id, verifier, expires_at)
  values ($1, $2, $3, $4, $5, $6)`;
const FORGET_CONSENTS = `delete from drive_consents where expires_at < $1`;
/** Taken by one caller only: whoever deletes it has it. */
const TAKE = `
  delete from drive_consents where state_hash = $1 and expires_at >= $2
  returning tenant_id, user_id, drive_id, verifier`;
/** The same account and drive go on from where they were: what happened meanwhile is still in the feed. */
const CONNECT = `
  insert into tenant_drive_integrations as i (tenant_id, status, account_email, drive_id, refresh_token, scope, page_token,
                                              connected_by, connected_at, created_at, updated_at)
  values ($1, 'CONNECTED', $2, $3, $4, $5, $6, $7, $8, $8, $8)
  on conflict (tenant_id) do update
     set status = 'CONNECTED', generation = i.generation + 1, account_email = excluded.account_email,
         drive_id = excluded.drive_id, refresh_token = excluded.refresh_token, access_token = null,
         access_expires_at = null, scope = excluded.scope,
         page_token = case when i.account_email = excluded.account_email and i.drive_id is not distinct from excluded.drive_id
                           then coalesce(i.page_token, excluded.page_token) else excluded.page_token end,
         root_folder_id = case when i.account_email = excluded.account_email
                                and i.drive_id is not distinct from excluded.drive_id then i.root_folder_id end,
         slow_until = null, slow_steps = 0, last_error = null, connected_by = excluded.connected_by,
         connected_at = excluded.connected_at, updated_at = excluded.updated_at
  returning ${INTEGRATION_COLUMNS}`;
/** Ids of another account or drive mean nothing here. */
const FORGET_ITEMS = `
  delete from drive_items d using tenant_drive_integrations i
   where d.tenant_id = $1 and i.tenant_id = $1 and (i.account_email <> $2 or i.drive_id is distinct from $3)`;
const DISCONNECT = `
  update tenant_drive_integrations
     set status = 'DISCONNECTED', refresh_token = null, access_token = null, access_expires_at = null,
         generation = generation + 1, updated_at = $2
   where tenant_id = $1 and status <> 'DISCONNECTED'
  returning tenant_id`;
/** A late failure of an old grant must not end a new one. */
const NEEDS_RECONNECT = `
  update tenant_drive_integrations set status = 'NEEDS_RECONNECT', last_error = $3, updated_at = $4
   where tenant_id = $1 and generation = $2 and status = 'CONNECTED'
  returning tenant_id`;
const SLOW_DOWN = `
  update tenant_drive_integrations
     set slow_until = greatest(slow_until, $2), slow_steps = slow_steps + 1, last_error = $3
   where tenant_id = $1`;
const CALM = `
  update tenant_drive_integrations set slow_until = null, slow_steps = 0 where tenant_id = $1 and slow_steps > 0`;
const NOTE_ERROR = `update tenant_drive_integrations set last_error = $2 where tenant_id = $1`;
const SET_ROOT = `
  update tenant_drive_integrations set root_folder_id = $3
   where tenant_id = $1 and generation = $2 and root_folder_id is distinct from $3`;
const SAVE_TOKEN = `
  update tenant_drive_integrations
     set page_token = $3, last_sync_at = coalesce($4, last_sync_at), last_error = case when $4::timestamptz is null then last_error end
   where tenant_id = $1 and generation = $2
  returning tenant_id`;

export class SqlIntegrationRepository implements IntegrationRepository {
  constructor(
    private readonly sessions: Sessions,
    private readonly sealing: Sealing,
  ) {}

  async find(actor: Actor, tenantId: number): Promise<Integration | null> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<IntegrationRow>(FIND, [tenantId]));
    return row === undefined ? null : toIntegration(row);
  }

  async connected(): Promise<Integration[]> {
    return (await this.sessions.run(SYSTEM, (tx) => tx.query<IntegrationRow>(CONNECTED))).map(toIntegration);
  }

  async beginConsent(actor: UserActor, state: string, consent: Consent, expiresAt: Date): Promise<void> {
    const hash = hashOf(state);
    const verifier = this.sealing.seal(VERIFIER, hash.toString('hex'), consent.verifier);
    const { tenantId, userId, driveId } = consent;
    await this.sessions.run(actor, (tx) => tx.query(BEGIN, [hash, tenantId, userId, driveId, verifier, expiresAt]));
  }

  async takeConsent(state: string, now: Date): Promise<Consent | null> {
    const hash = hashOf(state);
    const rows = await this.sessions.run(SYSTEM, async (tx) => {
      await tx.query(FORGET_CONSENTS, [now]);
      return tx.query<{ tenant_id: number; user_id: string; drive_id: string | null; verifier: Buffer }>(TAKE, [
        hash,
        now,
      ]);
    });
    const [row] = rows;
    if (row === undefined) return null;
    const verifier = this.sealing.openText(VERIFIER, hash.toString('hex'), row.verifier);
    return { tenantId: row.tenant_id, userId: row.user_id, driveId: row.drive_id, verifier };
  }

  async connect({ tenantId, userId, driveId }: Consent, grant: Grant, now: Date): Promise<Integration> {
    const { accountEmail, refreshToken, scope, startPageToken } = grant;
    const sealed = this.sealing.seal(REFRESH_TOKEN, tenantId, refreshToken);
    const [row] = await this.sessions.run(SYSTEM, async (tx) => {
      await tx.query(FORGET_ITEMS, [tenantId, accountEmail, driveId]);
      return tx.query<IntegrationRow>(CONNECT, [
        tenantId,
        accountEmail,
        driveId,
        sealed,
        scope,
        startPageToken,
        userId,
        now,
      ]);
    });
    if (row === undefined) throw new Error('a connection was not stored');
    return toIntegration(row);
  }

  async disconnect(actor: Actor, tenantId: number, now: Date): Promise<boolean> {
    return (await this.sessions.run(actor, (tx) => tx.query(DISCONNECT, [tenantId, now]))).length === 1;
  }

  async needsReconnect(tenantId: number, generation: number, reason: string, now: Date): Promise<boolean> {
    const values = [tenantId, generation, reason, now];
    return this.sessions.run(SYSTEM, async (tx) => {
      const changed = (await tx.query(NEEDS_RECONNECT, values)).length === 1;
      const payload = { tenant_id: tenantId, reason };
      if (changed) await appendEvents(tx, [{ tenantId, type: 'drive.needs-reconnect', payload, occurredAt: now }]);
      return changed;
    });
  }

  async slowDown(tenantId: number, until: Date, reason: string): Promise<void> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(SLOW_DOWN, [tenantId, until, reason]));
  }

  async calm(tenantId: number): Promise<void> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(CALM, [tenantId]));
  }

  async noteError(tenantId: number, reason: string): Promise<void> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(NOTE_ERROR, [tenantId, reason]));
  }

  async setRoot(tenantId: number, generation: number, rootFolderId: string): Promise<void> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(SET_ROOT, [tenantId, generation, rootFolderId]));
  }

  async saveToken(
    tenantId: number,
    generation: number,
    pageToken: string | null,
    syncedAt: Date | null,
  ): Promise<boolean> {
    const values = [tenantId, generation, pageToken, syncedAt];
    return (await this.sessions.run(SYSTEM, (tx) => tx.query(SAVE_TOKEN, values))).length === 1;
  }
}

/** What leaves this house is not what is stored: whoever reads the table cannot complete a consent. */
function hashOf(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}
