// Test support. Notifications and preferences in memory; judged by the same contract suite as the adapters on PostgreSQL.
/* eslint-disable @typescript-eslint/require-await -- what the ports promise, nothing has to be waited for */
import type { Actor, UserActor } from '../../../src/kernel/actor';
import { digestTitle, type Said } from '../../../src/notifications/domain/fact';
import { DIGEST_ITEMS, type Listing, type Notification } from '../../../src/notifications/domain/notification';
import { effective, type Preference, wanted } from '../../../src/notifications/domain/preference';
import { roomName, tenantRoom, userRoom } from '../../../src/notifications/domain/room';
import type { Missed, NotificationRepository } from '../../../src/notifications/ports/notification-repository';
import type { PreferenceRepository } from '../../../src/notifications/ports/preference-repository';

interface Digest {
  readonly tenantId: number;
  readonly room: string;
  readonly kind: string;
  readonly dueAt: Date;
  readonly all: Said[];
}

type Row = Omit<Notification, 'readAt'> & { readonly opId?: string };

export class InMemoryNotifications implements NotificationRepository {
  private rows: Row[] = [];
  private digests: Digest[] = [];
  private readonly taken = new Set<string>();
  private readonly last = new Map<string, number>();
  private readonly read = new Map<string, Date>();
  private made = 0;

  constructor(private readonly preferences: InMemoryPreferences) {}

  async take(facts: readonly Said[], now: Date): Promise<Notification[]> {
    const groups = new Map<string, { all: Said[]; seconds: number }>();
    for (const said of facts.filter(({ fact }) => !this.taken.has(fact.id))) {
      this.taken.add(said.fact.id);
      const { tenantId, type } = said.fact;
      const preference = this.preferences.effective(tenantId, said.userId, said.taskId);
      if (!wanted(said.wish, preference)) continue;
      const key = JSON.stringify([tenantId, roomName(said.room), type]);
      const group = groups.get(key) ?? { all: [], seconds: preference.digestSeconds };
      group.all.push(said);
      groups.set(key, { ...group, seconds: Math.min(group.seconds, preference.digestSeconds) });
    }
    const told: Said[] = [];
    for (const { all, seconds } of groups.values()) {
      const atOnce = seconds === 0 ? all.length : this.isQuiet(all[0]!, seconds, now) ? 1 : 0;
      told.push(...all.slice(0, atOnce));
      if (all.length > atOnce) this.collect(all.slice(atOnce), seconds, now);
    }
    return told.map((said) =>
      this.tell(said.fact.tenantId, roomName(said.room), said.fact.type, said.title, said.fact.payload, now),
    );
  }

  async publishDue(now: Date): Promise<{ published: Notification[]; next: Date | null }> {
    const due = this.digests.filter(({ dueAt }) => dueAt <= now);
    this.digests = this.digests.filter(({ dueAt }) => dueAt > now);
    const published = due.map(({ tenantId, room, kind, all }) => {
      const [only] = all;
      if (all.length === 1 && only !== undefined) {
        return this.tell(tenantId, room, kind, only.title, only.fact.payload, now);
      }
      const items = all
        .slice(0, DIGEST_ITEMS)
        .map(({ title, fact }) => ({ title, at: fact.occurredAt.toISOString(), data: fact.payload }));
      return this.tell(tenantId, room, kind, digestTitle(kind, all.length), { count: all.length, items }, now);
    });
    const next = this.digests.map(({ dueAt }) => dueAt.getTime());
    return { published, next: next.length === 0 ? null : new Date(Math.min(...next)) };
  }

  async list(actor: UserActor, { unreadOnly, kind, after, limit }: Listing): Promise<Notification[]> {
    return this.own(actor)
      .filter((row) => (!unreadOnly || row.readAt === null) && (kind === undefined || row.kind === kind))
      .filter(({ createdAt, id }) => after === undefined || before([createdAt, id], [after.createdAt, after.id]))
      .sort((a, b) => (before([a.createdAt, a.id], [b.createdAt, b.id]) ? 1 : -1))
      .slice(0, limit);
  }

  async unread(actor: UserActor): Promise<number> {
    return this.own(actor).filter(({ readAt }) => readAt === null).length;
  }

  async since(actor: UserActor, room: string, seq: number | undefined, limit: number): Promise<Missed> {
    const last = this.last.get(`${actor.tenantId} ${room}`) ?? 0;
    if (seq === undefined) return { seq: last, missed: [], truncated: false };
    const rows = this.rows
      .filter((row) => row.tenantId === actor.tenantId && row.room === room && row.seq > seq)
      .map((row) => this.seenBy(actor, row));
    return { seq: last, missed: rows.slice(0, limit), truncated: rows.length > limit };
  }

  async markRead(actor: UserActor, id: string, now: Date): Promise<Notification | undefined> {
    const row = this.own(actor).find((one) => one.id === id);
    if (row === undefined) return undefined;
    const key = `${actor.userId} ${id}`;
    if (!this.read.has(key)) this.read.set(key, now);
    return this.seenBy(actor, row);
  }

  async markAllRead(actor: UserActor, now: Date): Promise<number> {
    const unread = this.own(actor).filter(({ readAt }) => readAt === null);
    for (const { id } of unread) await this.markRead(actor, id, now);
    return unread.length;
  }

  async addReload(
    actor: UserActor,
    room: string,
    { opId, reason }: { opId: string; reason: string | null },
    now: Date,
  ): Promise<{ seq: number; fresh: boolean }> {
    const op = `${actor.userId} ${opId}`;
    const known = this.rows.find((row) => row.tenantId === actor.tenantId && row.room === room && row.opId === op);
    if (known !== undefined) return { seq: known.seq, fresh: false };
    const { seq } = this.tell(actor.tenantId, room, 'reload', 'Fetch again', { reason, by: actor.userId }, now, op);
    return { seq, fresh: true };
  }

  async forget(_actor: Actor, olderThan: Date): Promise<number> {
    const before = this.rows.length;
    this.rows = this.rows.filter(({ createdAt }) => createdAt >= olderThan);
    return before - this.rows.length;
  }

  private isQuiet({ fact, room }: Said, seconds: number, now: Date): boolean {
    const same = (one: { tenantId: number; room: string; kind: string }): boolean =>
      one.tenantId === fact.tenantId && one.room === roomName(room) && one.kind === fact.type;
    const latest = Math.max(...this.rows.filter(same).map(({ createdAt }) => createdAt.getTime()));
    return !this.digests.some(same) && now.getTime() - latest >= seconds * 1_000;
  }

  private collect(more: readonly Said[], seconds: number, now: Date): void {
    const [{ fact, room }] = more as [Said];
    const place = { tenantId: fact.tenantId, room: roomName(room), kind: fact.type };
    const open = this.digests.find(
      (one) => one.tenantId === place.tenantId && one.room === place.room && one.kind === place.kind,
    );
    if (open !== undefined) open.all.push(...more);
    else this.digests.push({ ...place, dueAt: new Date(now.getTime() + seconds * 1_000), all: [...more] });
  }

  private tell(
    ...[tenantId, room, kind, title, data, createdAt, opId]: [number, string, string, string, object, Date, string?]
  ): Notification {
    const seq = (this.last.get(`${tenantId} ${room}`) ?? 0) + 1;
    this.last.set(`${tenantId} ${room}`, seq);
    const id = `note-${String((this.made += 1)).padStart(6, '0')}`;
    const row: Row = { id, tenantId, room, seq, kind, title, data: data as Notification['data'], createdAt, opId };
    this.rows.push(row);
    return { ...bare(row), readAt: null };
  }

  private own(actor: UserActor): Notification[] {
    const rooms = [roomName(userRoom(actor)), roomName(tenantRoom(actor))];
    return this.rows
      .filter((row) => row.tenantId === actor.tenantId && rooms.includes(row.room) && row.kind !== 'reload')
      .map((row) => this.seenBy(actor, row));
  }

  private seenBy({ userId }: UserActor, row: Row): Notification {
    return { ...bare(row), readAt: this.read.get(`${userId} ${row.id}`) ?? null };
  }
}

export class InMemoryPreferences implements PreferenceRepository {
  private readonly rows = new Map<
    string,
    { tenantId: number; userId: string; taskId: string; preference: Preference }
  >();

  async read(actor: UserActor, taskId: string): Promise<Preference | undefined> {
    return this.rows.get(JSON.stringify([actor.tenantId, actor.userId, taskId]))?.preference;
  }

  async list({ tenantId, userId }: UserActor): Promise<{ taskId: string; preference: Preference }[]> {
    return [...this.rows.values()]
      .filter((row) => row.tenantId === tenantId && row.userId === userId)
      .map(({ taskId, preference }) => ({ taskId, preference }));
  }

  async put({ tenantId, userId }: UserActor, taskId: string, preference: Preference): Promise<void> {
    this.rows.set(JSON.stringify([tenantId, userId, taskId]), { tenantId, userId, taskId, preference });
  }

  async remove(actor: UserActor, taskId: string): Promise<void> {
    this.rows.delete(JSON.stringify([actor.tenantId, actor.userId, taskId]));
  }

  effective(tenantId: number, userId: string | null, taskId: string): ReturnType<typeof effective> {
    const of = (task: string): Preference | undefined =>
      this.rows.get(JSON.stringify([tenantId, userId, task]))?.preference;
    return effective(taskId === '' ? undefined : of(taskId), of(''));
  }
}

function bare({ opId: _opId, ...shown }: Row): Omit<Notification, 'readAt'> {
  return shown;
}

function before(a: readonly [Date, string], b: readonly [Date, string]): boolean {
  return a[0] < b[0] || (a[0].getTime() === b[0].getTime() && a[1] < b[1]);
}
