// Outbound adapter, owns the table drive_channels.
import { createHash, timingSafeEqual } from 'node:crypto';
import { systemActor, type Actor } from '../../kernel/actor';
import type { Sessions } from '../../platform/persistence/sessions';
import type { Channel, ChannelLife, Notice } from '../domain/channel';
import type { ChannelRepository } from '../ports/channel-repository';

const SYSTEM = systemActor('drive channels');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const COLUMNS = `id, tenant_id, generation, drive_id, resource_id, state, expires_at, messages, last_message_at, last_error, created_at`;
const BEGIN = `
  insert into drive_channels (id, tenant_id, generation, drive_id, token_hash, state, expires_at, created_at)
  values ($1, $2, $3, $4, $5, 'creating', $6, $7)`;
const OPENED = `update drive_channels set state = 'active', resource_id = $2, expires_at = $3 where id = $1 and state = 'creating'`;
const FAILED = `update drive_channels set state = 'failed', last_error = $2, stopped_at = $3 where id = $1 and state = 'creating'`;
const STOPPED = `update drive_channels set state = 'stopped', stopped_at = $2 where id = $1`;
const OPEN = `
  select ${COLUMNS} from drive_channels
   where tenant_id = $1 and state in ('creating', 'active') and expires_at > $2 order by created_at`;
const LIST = `
  select ${COLUMNS} from drive_channels where $1::integer is null or tenant_id = $1 order by created_at desc, id limit $2`;
const LATEST = `select ${COLUMNS} from drive_channels where tenant_id = $1 order by created_at desc, id limit 1`;
const FIND = `select token_hash, resource_id from drive_channels where id = $1 and tenant_id = $2 and expires_at > $3`;
const HEARD = `
  update drive_channels set messages = messages + 1, last_message_at = $2, resource_id = coalesce(resource_id, $3)
   where id = $1`;
const FORGET = `delete from drive_channels where expires_at < $1 or (state in ('stopped', 'failed') and stopped_at < $1)`;

interface Row {
  readonly id: string;
  readonly tenant_id: number;
  readonly generation: number;
  readonly drive_id: string | null;
  readonly resource_id: string | null;
  readonly state: ChannelLife;
  readonly expires_at: Date;
  readonly messages: number;
  readonly last_message_at: Date | null;
  readonly last_error: string | null;
  readonly created_at: Date;
}

export class SqlChannelRepository implements ChannelRepository {
  constructor(private readonly sessions: Sessions) {}

  async begin(channel: Channel, token: string): Promise<void> {
    const { id, tenantId, generation, driveId, expiresAt, createdAt } = channel;
    await this.write(BEGIN, [id, tenantId, generation, driveId, hashOf(token), expiresAt, createdAt]);
  }

  async opened(id: string, resourceId: string, expiresAt: Date): Promise<void> {
    await this.write(OPENED, [id, resourceId, expiresAt]);
  }

  async failed(id: string, error: string, now: Date): Promise<void> {
    await this.write(FAILED, [id, error.slice(0, 1_000), now]);
  }

  async stopped(id: string, now: Date): Promise<void> {
    await this.write(STOPPED, [id, now]);
  }

  open(tenantId: number, now: Date): Promise<Channel[]> {
    return this.read(SYSTEM, OPEN, [tenantId, now]);
  }

  list(actor: Actor, limit: number): Promise<Channel[]> {
    return this.read(actor, LIST, [actor.type === 'user' ? actor.tenantId : null, limit]);
  }

  async latest(tenantId: number): Promise<Channel | null> {
    return (await this.read(SYSTEM, LATEST, [tenantId]))[0] ?? null;
  }

  async recognise({ tenantId, channelId, resourceId, token }: Notice, now: Date): Promise<boolean> {
    if (!UUID.test(channelId)) return false;
    const dayBefore = new Date(now.getTime() - 86_400_000);
    return this.sessions.run(SYSTEM, async (tx) => {
      const values = [channelId, tenantId, dayBefore];
      const [row] = await tx.query<{ token_hash: Buffer; resource_id: string | null }>(FIND, values);
      if (row === undefined || !timingSafeEqual(row.token_hash, hashOf(token))) return false;
      if (row.resource_id !== null && row.resource_id !== resourceId) return false;
      await tx.query(HEARD, [channelId, now, resourceId === '' ? null : resourceId]);
      return true;
    });
  }

  async forget(before: Date): Promise<void> {
    await this.write(FORGET, [before]);
  }

  private async write(statement: string, values: readonly unknown[]): Promise<void> {
    await this.sessions.run(SYSTEM, (tx) => tx.query(statement, values));
  }

  private async read(actor: Actor, statement: string, values: readonly unknown[]): Promise<Channel[]> {
    return (await this.sessions.run(actor, (tx) => tx.query<Row>(statement, values))).map(toChannel);
  }
}

/** Of equal length whatever was sent, so that the comparison takes the same time. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function toChannel(row: Row): Channel {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    generation: row.generation,
    driveId: row.drive_id,
    resourceId: row.resource_id,
    state: row.state,
    expiresAt: row.expires_at,
    messages: row.messages,
    lastMessageAt: row.last_message_at,
    lastError: row.last_error,
    createdAt: row.created_at,
  };
}
