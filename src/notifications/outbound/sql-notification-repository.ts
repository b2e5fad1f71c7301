// Outbound adapter. Owns tables notifications, notification_rooms, notification_facts, notification_reads. Writing facts
// is in take-facts.ts.
import { type Actor, systemActor, type UserActor } from '../../kernel/actor';
import { type Ids, prefixedId } from '../../kernel/ids';
import type { Sessions } from '../../platform/persistence/sessions';
import type { Said } from '../domain/fact';
import { digestTitle } from '../domain/fact';
import type { Listing, Notification } from '../domain/notification';
import { roomName, roomOf, tenantRoom, userRoom } from '../domain/room';
import type { Missed, NotificationRepository } from '../ports/notification-repository';
import { NOTIFICATION_COLUMNS, type NotificationRow, toNotification } from './notification.row';
import { nextSequences, takeFacts } from './take-facts';

const HOUSE = systemActor('notifications');
const PAGE = 500;

/** Two processes that publish at once take different ones. */
const DUE = `
  select n.id, n.tenant_id, n.room, n.kind, n.data from notifications n
   where n.seq is null and n.due_at <= $1 order by n.due_at limit ${PAGE} for update skip locked`;

const PUBLISH = `
  update notifications n set seq = p.seq, title = p.title, data = p.data, created_at = $5
    from unnest($1::text[], $2::bigint[], $3::text[], $4::jsonb[]) as p (id, seq, title, data)
   where n.id = p.id returning ${NOTIFICATION_COLUMNS}`;

const NEXT_DUE = `select min(due_at) as due_at from notifications where seq is null`;

const READ = `
  left join notification_reads r on r.tenant_id = n.tenant_id and r.user_id = $2 and r.notification_id = n.id`;

const LIST = `
  select ${NOTIFICATION_COLUMNS}, r.read_at from notifications n ${READ}
   where n.tenant_id = $1 and n.room = any ($3) and n.seq is not null and n.kind <> 'reload'
     and ($4::boolean is false or r.read_at is null) and ($5::text is null or n.kind = $5)
     and ($6::timestamptz is null or (n.created_at, n.id) < ($6, $7))
   order by n.created_at desc, n.id desc limit $8`;

const UNREAD = `
  select count(*)::integer as unread from notifications n ${READ}
   where n.tenant_id = $1 and n.room = any ($3) and n.seq is not null and n.kind <> 'reload' and r.read_at is null`;

const STANDS = `select last_seq from notification_rooms where tenant_id = $1 and room = $2`;

const SINCE = `
  select ${NOTIFICATION_COLUMNS}, r.read_at from notifications n ${READ}
   where n.tenant_id = $1 and n.room = $3 and n.seq > $4 order by n.seq limit $5`;

const ONE = `
  select ${NOTIFICATION_COLUMNS}, r.read_at from notifications n ${READ}
   where n.tenant_id = $1 and n.room = any ($3) and n.id = $4 and n.seq is not null`;

const MARK = `
  insert into notification_reads (tenant_id, user_id, notification_id, read_at) values ($1, $2, $3, $4)
  on conflict do nothing`;

const MARK_ALL = `
  insert into notification_reads (tenant_id, user_id, notification_id, read_at)
  select n.tenant_id, $2, n.id, $4 from notifications n ${READ}
   where n.tenant_id = $1 and n.room = any ($3) and n.seq is not null and n.kind <> 'reload' and r.read_at is null
  on conflict do nothing returning notification_id`;

const FIND_OP = `select n.seq from notifications n where n.tenant_id = $1 and n.room = $2 and n.op_id = $3`;

const ADD_RELOAD = `
  insert into notifications (id, tenant_id, room, user_id, seq, kind, title, data, op_id, created_at)
  values ($1, $2, $3, $4, $5, 'reload', 'Fetch again', $6, $7, $8)`;

const FORGET = `
  delete from notifications where id in (select id from notifications where created_at < $1 limit 5000) returning id`;
const FORGET_FACTS = `delete from notification_facts where taken_at < $1`;

export class SqlNotificationRepository implements NotificationRepository {
  constructor(
    private readonly sessions: Sessions,
    private readonly ids: Ids,
  ) {}

  take(facts: readonly Said[], now: Date): Promise<Notification[]> {
    return this.sessions.run(HOUSE, (tx) => takeFacts(tx, facts, now, this.ids));
  }

  async publishDue(now: Date): Promise<{ published: Notification[]; next: Date | null }> {
    // What a round costs that finds nothing to publish.
    const [first] = await this.sessions.ask<{ due_at: Date | null }>(HOUSE, NEXT_DUE);
    if (first?.due_at == null || first.due_at > now) return { published: [], next: first?.due_at ?? null };
    return this.sessions.run(HOUSE, async (tx) => {
      const due = await tx.query<NotificationRow>(DUE, [now]);
      let published: Notification[] = [];
      if (due.length > 0) {
        const places = due.map(({ tenant_id: tenantId, room }) => ({ tenantId, room }));
        const sequences = await nextSequences(tx, places);
        const said = due.map(({ kind, data }) => digested(kind, data));
        const rows = await tx.query<NotificationRow>(PUBLISH, [
          due.map(({ id }) => id),
          places.map((place) => sequences.next(place)),
          said.map(({ title }) => title),
          said.map(({ data }) => JSON.stringify(data)),
          now,
        ]);
        published = rows.map(toNotification).sort((a, b) => a.seq - b.seq);
      }
      const [next] = await tx.query<{ due_at: Date | null }>(NEXT_DUE);
      return { published, next: next?.due_at ?? null };
    });
  }

  async list(actor: UserActor, { unreadOnly, kind, after, limit }: Listing): Promise<Notification[]> {
    const { tenantId, userId } = actor;
    const rows = await this.sessions.run(actor, (tx) =>
      tx.query<NotificationRow>(LIST, [
        tenantId,
        userId,
        roomsOf(actor),
        unreadOnly,
        kind ?? null,
        after?.createdAt ?? null,
        after?.id ?? null,
        limit,
      ]),
    );
    return rows.map(toNotification);
  }

  async unread(actor: UserActor): Promise<number> {
    const { tenantId, userId } = actor;
    const [row] = await this.sessions.run(actor, (tx) =>
      tx.query<{ unread: number }>(UNREAD, [tenantId, userId, roomsOf(actor)]),
    );
    return row?.unread ?? 0;
  }

  since(actor: UserActor, room: string, seq: number | undefined, limit: number): Promise<Missed> {
    const { tenantId, userId } = actor;
    return this.sessions.run(actor, async (tx) => {
      const [stands] = await tx.query<{ last_seq: string }>(STANDS, [tenantId, room]);
      const last = Number(stands?.last_seq ?? 0);
      if (seq === undefined || seq >= last) return { seq: last, missed: [], truncated: false };
      const rows = await tx.query<NotificationRow>(SINCE, [tenantId, userId, room, seq, limit + 1]);
      return { seq: last, missed: rows.slice(0, limit).map(toNotification), truncated: rows.length > limit };
    });
  }

  markRead(actor: UserActor, id: string, now: Date): Promise<Notification | undefined> {
    const { tenantId, userId } = actor;
    return this.sessions.run(actor, async (tx) => {
      const find = (): Promise<NotificationRow[]> =>
        tx.query<NotificationRow>(ONE, [tenantId, userId, roomsOf(actor), id]);
      if ((await find()).length === 0) return undefined;
      await tx.query(MARK, [tenantId, userId, id, now]);
      return (await find()).map(toNotification)[0];
    });
  }

  async markAllRead(actor: UserActor, now: Date): Promise<number> {
    const { tenantId, userId } = actor;
    const rows = await this.sessions.run(actor, (tx) => tx.query(MARK_ALL, [tenantId, userId, roomsOf(actor), now]));
    return rows.length;
  }

  addReload(
    actor: UserActor,
    room: string,
    { opId, reason }: { opId: string; reason: string | null },
    now: Date,
  ): Promise<{ seq: number; fresh: boolean }> {
    const { tenantId, userId } = actor;
    // Of one person: two that happen to choose the same id do not answer for each other.
    const op = `${userId} ${opId}`;
    return this.sessions.run(actor, async (tx) => {
      // Taken first: it is the lock under which a repetition of the same operation finds the first one.
      const seq = (await nextSequences(tx, [{ tenantId, room }])).next({ tenantId, room });
      const [known] = await tx.query<{ seq: string }>(FIND_OP, [tenantId, room, op]);
      if (known !== undefined) {
        await tx.query(GIVE_BACK, [tenantId, room]);
        return { seq: Number(known.seq), fresh: false };
      }
      const { type } = roomOf(room);
      const data = JSON.stringify({ reason, by: userId });
      const id = prefixedId('note-', this.ids);
      await tx.query(ADD_RELOAD, [id, tenantId, room, type === 'user' ? userId : null, seq, data, op, now]);
      return { seq, fresh: true };
    });
  }

  async forget(actor: Actor, olderThan: Date): Promise<number> {
    const rows = await this.sessions.run(actor, async (tx) => {
      await tx.query(FORGET_FACTS, [olderThan]);
      return tx.query(FORGET, [olderThan]);
    });
    return rows.length;
  }
}

/** Nobody has seen it: this transaction holds the room's row. */
const GIVE_BACK = `update notification_rooms set last_seq = last_seq - 1 where tenant_id = $1 and room = $2`;

function roomsOf(actor: UserActor): string[] {
  return [roomName(userRoom(actor)), roomName(tenantRoom(actor))];
}

/** One that stayed alone is said as if it had not been collected. */
function digested(kind: string, data: Record<string, unknown>): { title: string; data: unknown } {
  const { count, items } = data as { count: number; items: { title: string; data: unknown }[] };
  const [only] = items;
  return count === 1 && only !== undefined
    ? { title: only.title, data: only.data }
    : { title: digestTitle(kind, count), data };
}
