// Outbound. The access tokens of the tenants' grants: one refresh at a time for each grant, whichever process asks, and its
// result is everybody's. An advisory lock of the database is held while Google is asked, and with it a connection: of
// those one process lends two, so that a slow Google costs the rest of the house no more.
import { systemActor } from '../../kernel/actor';
import { DomainError } from '../../kernel/domain-error';
import type { Sealing } from '../../platform/crypto';
import type { Sessions, Tx } from '../../platform/persistence/sessions';
import { NotConnectedError } from '../domain/errors';
import { type GoogleClient, problem } from './google-client';
import { ACCESS_TOKEN, REFRESH_TOKEN } from './integration.row';

export interface AccessToken {
  readonly access_token: string;
  readonly expiry_date: number;
}

export interface GrantKey {
  readonly tenantId: number;
  readonly generation: number;
}

interface Row {
  readonly refresh_token: Buffer;
  readonly access_token: Buffer | null;
  readonly access_expires_at: Date | null;
  readonly fresh: boolean;
}

const REFRESHING = systemActor('drive: refresh');
/** A process that is stopped while it holds the lock holds up the others for no longer. */
const LIMITS = { lock_timeout: '25s', idle_in_transaction_session_timeout: '25s' };
const AT_ONCE = 2;

/** A statement of its own: what the one before stored must be seen by the next. */
const LOCK = `select pg_advisory_xact_lock(hashtext('horarium drive refresh'), $1)`;
const READ = `
  select refresh_token, access_token, access_expires_at,
         coalesce(access_expires_at > horarium_now() + interval '5 minutes', false) as fresh
    from tenant_drive_integrations
   where tenant_id = $1 and generation = $2 and status = 'CONNECTED' and refresh_token is not null`;
/** Google seldom gives a new refresh token; when it does, the old one may end. */
const WRITE = `
  update tenant_drive_integrations
     set access_token = $3, access_expires_at = $4, refresh_token = coalesce($5, refresh_token)
   where tenant_id = $1 and generation = $2 and status = 'CONNECTED'`;

export class AccessTokens {
  private readonly underWay = new Map<string, Promise<AccessToken>>();
  private readonly waiting: (() => void)[] = [];
  private lent = 0;

  constructor(
    private readonly sessions: Sessions,
    private readonly sealing: Sealing,
    private readonly google: GoogleClient,
  ) {}

  /**
   * One that has not been refused: the stored one, or a new one. Who asks while one is being got gets the same.
   * @throws DriveProblemError, NotConnectedError
   */
  get(grant: GrantKey, refused: string | undefined): Promise<AccessToken> {
    const key = `${grant.tenantId} ${grant.generation}`;
    const known = this.underWay.get(key);
    if (known !== undefined) return known;
    const asked = this.inTurn(() => this.oneAtATime(grant, refused)).finally(() => this.underWay.delete(key));
    this.underWay.set(key, asked);
    return asked;
  }

  private oneAtATime({ tenantId, generation }: GrantKey, refused: string | undefined): Promise<AccessToken> {
    return this.sessions.run(
      REFRESHING,
      async (tx) => {
        await tx.query(LOCK, [tenantId]);
        const [row] = await tx.query<Row>(READ, [tenantId, generation]);
        if (row === undefined) throw new NotConnectedError();
        const stored = this.storedIn(tenantId, row);
        if (stored !== null && stored.access_token !== refused) return stored;
        return this.refresh(tx, tenantId, generation, row);
      },
      { settings: LIMITS },
    );
  }

  /** Null: there is none, it ends soon, or no key opens it: then another one is got. */
  private storedIn(tenantId: number, { access_token, access_expires_at, fresh }: Row): AccessToken | null {
    if (!fresh || access_token === null || access_expires_at === null) return null;
    try {
      const token = this.sealing.openText(ACCESS_TOKEN, tenantId, access_token);
      return { access_token: token, expiry_date: access_expires_at.getTime() };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private async refresh(tx: Tx, tenantId: number, generation: number, { refresh_token }: Row): Promise<AccessToken> {
    const known = this.sealing.openText(REFRESH_TOKEN, tenantId, refresh_token);
    const oauth = this.google.oauth(known);
    let rotated: string | undefined;
    oauth.on('tokens', (tokens) => (rotated = tokens.refresh_token ?? undefined));
    const { credentials } = await oauth.refreshAccessToken().catch((error: unknown) => {
      throw problem(error, 'token');
    });
    const { access_token: token, expiry_date: until } = credentials;
    if (typeof token !== 'string' || typeof until !== 'number') throw problem({ status: 502 }, 'token');
    const sealed = this.sealing.seal(ACCESS_TOKEN, tenantId, token);
    const renewed = rotated === undefined ? null : this.sealing.seal(REFRESH_TOKEN, tenantId, rotated);
    await tx.query(WRITE, [tenantId, generation, sealed, new Date(until), renewed]);
    return { access_token: token, expiry_date: until };
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.lent >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.lent += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.lent -= 1;
      else next();
    }
  }
}
