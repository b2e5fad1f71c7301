// Auth, outbound adapter. Owns table api_keys, but for last_used_at: see sql-api-key-uses.ts.
import { type Actor, systemActor } from '../../../kernel/actor';
import type { Sessions } from '../../persistence/sessions';
import { constraintOf } from '../../persistence/sql-errors';
import type { ApiKey } from '../domain/api-key';
import { TenantNotFoundError } from '../domain/errors';
import type { ApiKeyFilter, ApiKeyRepository } from '../ports/api-key-repository';
import { API_KEY_COLUMNS, type ApiKeyRow, toApiKey } from './api-key.row';

const ADD = `
  insert into api_keys (id, tenant_id, user_id, name, roles, key_hash, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;

const FIND_BY_HASH = `select ${API_KEY_COLUMNS} from api_keys where key_hash = $1`;

const LIST = `
  select ${API_KEY_COLUMNS} from api_keys
  where ($1::integer is null or tenant_id = $1)
    and ($2::text is null or user_id = $2)
    and ($3::boolean or revoked_at is null)
  order by created_at desc, id desc`;

/** Of two that revoke at once one gets the row, the other none: the time of revocation never moves. */
const REVOKE = `
  update api_keys set revoked_at = $2 where id = $1 and revoked_at is null
  returning ${API_KEY_COLUMNS}`;

/** Whose a key is, is not known before it was found. */
const AUTHENTICATION = systemActor('authentication');

export class SqlApiKeyRepository implements ApiKeyRepository {
  constructor(private readonly sessions: Sessions) {}

  async add(actor: Actor, key: ApiKey, hash: Uint8Array): Promise<void> {
    const { id, tenantId, userId, name, roles, createdAt, expiresAt } = key;
    try {
      await this.sessions.run(actor, (tx) =>
        tx.query(ADD, [id, tenantId, userId, name, roles, hash, createdAt, expiresAt]),
      );
    } catch (error) {
      if (constraintOf(error) === 'fk_api_keys_tenant') throw new TenantNotFoundError(tenantId);
      throw error;
    }
  }

  async findByHash(hash: Uint8Array): Promise<ApiKey | undefined> {
    const [row] = await this.sessions.run(AUTHENTICATION, (tx) => tx.query<ApiKeyRow>(FIND_BY_HASH, [hash]));
    return row === undefined ? undefined : toApiKey(row);
  }

  async list(actor: Actor, { tenantId, userId, withRevoked }: ApiKeyFilter): Promise<ApiKey[]> {
    const rows = await this.sessions.run(actor, (tx) =>
      tx.query<ApiKeyRow>(LIST, [tenantId ?? null, userId ?? null, withRevoked]),
    );
    return rows.map(toApiKey);
  }

  async revoke(actor: Actor, id: string, now: Date): Promise<ApiKey | undefined> {
    const [row] = await this.sessions.run(actor, (tx) => tx.query<ApiKeyRow>(REVOKE, [id, now]));
    return row === undefined ? undefined : toApiKey(row);
  }
}
