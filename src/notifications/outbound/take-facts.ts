// Outbound. Writes what is to be said of a batch of facts: at most seven statements for any number of them.
import { type Ids, prefixedId } from '../../kernel/ids';
import type { Tx } from '../../platform/persistence/sessions';
import type { Said } from '../domain/fact';
import { DIGEST_ITEMS, type Notification } from '../domain/notification';
import { effective, type Preference, wanted } from '../domain/preference';
import { roomName } from '../domain/room';
import { NOTIFICATION_COLUMNS, type NotificationRow, toNotification } from './notification.row';
import { type PreferenceRow, toPreference } from './preference.row';

/** A fact that comes again is not said again: whoever inserts its id says it. */
const TAKE = `
  insert into notification_facts (event_id, taken_at)
  select unnest($1::bigint[]), $2 on conflict do nothing returning event_id`;

const PREFERENCES = `
  select p.tenant_id, p.user_id, p.task_id, p.notify_on_failure, p.notify_on_success, p.digest_seconds
    from notification_preferences p
    join unnest($1::integer[], $2::text[]) as w (tenant_id, user_id) using (tenant_id, user_id)`;

/** When one of this kind was last told in this room, and whether more are being collected. */
const LATELY = `
  select w.tenant_id, w.room, w.kind,
         (select max(n.created_at) from notifications n
           where n.tenant_id = w.tenant_id and n.room = w.room and n.kind = w.kind and n.seq is not null) as told_at,
         exists (select from notifications n
           where n.tenant_id = w.tenant_id and n.room = w.room and n.kind = w.kind and n.seq is null) as collecting
    from unnest($1::integer[], $2::text[], $3::text[]) as w (tenant_id, room, kind)`;

/** In the order of rooms, so that two transactions never wait for each other in a circle. Answers the last of each. */
export const NEXT_SEQUENCES = `
  insert into notification_rooms as r (tenant_id, room, last_seq)
  select * from unnest($1::integer[], $2::text[], $3::bigint[]) as w (tenant_id, room, count) order by tenant_id, room
  on conflict (tenant_id, room) do update set last_seq = r.last_seq + excluded.last_seq
  returning tenant_id, room, last_seq`;

const ADD = `
  insert into notifications as n (id, tenant_id, room, user_id, seq, kind, title, data, created_at)
  select * from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                       $8::jsonb[], $9::timestamptz[])
  returning ${NOTIFICATION_COLUMNS}`;

/** One row a room and kind; it counts all and keeps the first of them. */
const COLLECT = `
  insert into notifications as n (id, tenant_id, room, user_id, kind, title, data, created_at, due_at)
  select * from unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[],
                       $8::timestamptz[], $9::timestamptz[])
  on conflict (tenant_id, room, kind) where seq is null do update set data = jsonb_build_object(
    'count', (n.data ->> 'count')::integer + (excluded.data ->> 'count')::integer,
    'items', (select jsonb_agg(item order by place) from (
                select item, place
                  from jsonb_array_elements((n.data -> 'items') || (excluded.data -> 'items'))
                       with ordinality as i (item, place)
                 order by place limit ${DIGEST_ITEMS}) as kept))`;

interface Group {
  readonly tenantId: number;
  readonly room: string;
  readonly kind: string;
  readonly userId: string | null;
  readonly all: Said[];
  digestSeconds: number;
}

export async function takeFacts(tx: Tx, facts: readonly Said[], now: Date, ids: Ids): Promise<Notification[]> {
  const taken = await tx.query<{ event_id: string }>(TAKE, [facts.map(({ fact }) => fact.id), now]);
  const fresh = new Set(taken.map(({ event_id }) => event_id));
  const groups = grouped(
    await wantedOnes(
      tx,
      facts.filter(({ fact }) => fresh.has(fact.id)),
    ),
  );
  if (groups.length === 0) return [];
  const lately = await tx.query<{ told_at: Date | null; collecting: boolean } & Record<string, unknown>>(LATELY, [
    groups.map(({ tenantId }) => tenantId),
    groups.map(({ room }) => room),
    groups.map(({ kind }) => kind),
  ]);
  const told: { group: Group; said: Said }[] = [];
  const collected: { group: Group; more: Said[] }[] = [];
  for (const group of groups) {
    const before = lately.find((row) => keyOf(row['tenant_id'], row['room'], row['kind']) === keyOfGroup(group));
    const windowMs = group.digestSeconds * 1_000;
    const quiet =
      before?.collecting !== true && (before?.told_at == null || now.getTime() - before.told_at.getTime() >= windowMs);
    const atOnce = windowMs === 0 ? group.all.length : quiet ? 1 : 0;
    told.push(...group.all.slice(0, atOnce).map((said) => ({ group, said })));
    if (group.all.length > atOnce) collected.push({ group, more: group.all.slice(atOnce) });
  }
  await collect(tx, collected, now, ids);
  return tell(tx, told, now, ids);
}

async function wantedOnes(tx: Tx, facts: readonly Said[]): Promise<{ said: Said; digestSeconds: number }[]> {
  const people = facts.filter(({ userId }) => userId !== null);
  const rows =
    people.length === 0
      ? []
      : await tx.query<PreferenceRow>(PREFERENCES, [
          people.map(({ fact }) => fact.tenantId),
          people.map(({ userId }) => userId),
        ]);
  const preferences = new Map<string, Preference>(
    rows.map((row) => [keyOf(row.tenant_id, row.user_id, row.task_id), toPreference(row)]),
  );
  return facts.flatMap((said) => {
    const of = (taskId: string): Preference | undefined =>
      preferences.get(keyOf(said.fact.tenantId, said.userId, taskId));
    const preference = effective(said.taskId === '' ? undefined : of(said.taskId), of(''));
    return wanted(said.wish, preference) ? [{ said, digestSeconds: preference.digestSeconds }] : [];
  });
}

function grouped(facts: readonly { said: Said; digestSeconds: number }[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { said, digestSeconds } of facts) {
    const { fact, room, userId } = said;
    const group: Group = {
      tenantId: fact.tenantId,
      room: roomName(room),
      kind: fact.type,
      userId,
      all: [],
      digestSeconds,
    };
    const known = groups.get(keyOfGroup(group)) ?? group;
    known.all.push(said);
    known.digestSeconds = Math.min(known.digestSeconds, digestSeconds);
    groups.set(keyOfGroup(group), known);
  }
  return [...groups.values()];
}

async function collect(
  tx: Tx,
  collected: readonly { group: Group; more: Said[] }[],
  now: Date,
  ids: Ids,
): Promise<void> {
  if (collected.length === 0) return;
  await tx.query(COLLECT, [
    collected.map(() => prefixedId('note-', ids)),
    collected.map(({ group }) => group.tenantId),
    collected.map(({ group }) => group.room),
    collected.map(({ group }) => group.userId),
    collected.map(({ group }) => group.kind),
    collected.map(() => ''),
    collected.map(({ more }) => JSON.stringify({ count: more.length, items: more.slice(0, DIGEST_ITEMS).map(item) })),
    collected.map(() => now),
    collected.map(({ group }) => new Date(now.getTime() + group.digestSeconds * 1_000)),
  ]);
  tx.wakeAfterCommit('notification-digest');
}

function item({ title, fact }: Said): object {
  return { title, at: fact.occurredAt, data: fact.payload };
}

async function tell(
  tx: Tx,
  told: readonly { group: Group; said: Said }[],
  now: Date,
  ids: Ids,
): Promise<Notification[]> {
  if (told.length === 0) return [];
  const sequences = await nextSequences(
    tx,
    told.map(({ group }) => group),
  );
  const rows = await tx.query<NotificationRow>(ADD, [
    told.map(() => prefixedId('note-', ids)),
    told.map(({ group }) => group.tenantId),
    told.map(({ group }) => group.room),
    told.map(({ group }) => group.userId),
    told.map(({ group }) => sequences.next(group)),
    told.map(({ group }) => group.kind),
    told.map(({ said }) => said.title),
    told.map(({ said }) => JSON.stringify(said.fact.payload)),
    told.map(() => now),
  ]);
  return rows.map(toNotification).sort((a, b) => a.seq - b.seq);
}

type Place = { readonly tenantId: number; readonly room: string };

/** One sequence for each place named, in their order. */
export async function nextSequences(tx: Tx, places: readonly Place[]): Promise<{ next(place: Place): number }> {
  const counts = new Map<string, Place & { count: number }>();
  for (const { tenantId, room } of places) {
    const known = counts.get(keyOf(tenantId, room)) ?? { tenantId, room, count: 0 };
    known.count += 1;
    counts.set(keyOf(tenantId, room), known);
  }
  const all = [...counts.values()];
  const rows = await tx.query<{ tenant_id: number; room: string; last_seq: string }>(NEXT_SEQUENCES, [
    all.map(({ tenantId }) => tenantId),
    all.map(({ room }) => room),
    all.map(({ count }) => count),
  ]);
  const next = new Map(
    rows.map(({ tenant_id, room, last_seq }) => {
      const key = keyOf(tenant_id, room);
      return [key, Number(last_seq) - (counts.get(key)?.count ?? 0)];
    }),
  );
  return {
    next: ({ tenantId, room }) => {
      const key = keyOf(tenantId, room);
      const seq = (next.get(key) ?? 0) + 1;
      next.set(key, seq);
      return seq;
    },
  };
}

function keyOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function keyOfGroup({ tenantId, room, kind }: Group): string {
  return keyOf(tenantId, room, kind);
}
