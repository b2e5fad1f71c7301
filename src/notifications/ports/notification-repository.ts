// Port. Notifications by room.
import type { Actor, UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Said } from '../domain/fact';
import type { Listing, Notification } from '../domain/notification';

export interface Missed {
  /** The last sequence of the room. */
  readonly seq: number;
  readonly missed: readonly Notification[];
  /** There are more than were asked for: the list over HTTP has them. */
  readonly truncated: boolean;
}

export interface NotificationRepository {
  /**
   * Writes what is to be said of these facts, in one transaction: nothing twice of one fact, nothing that its receiver
   * does not want, and of many of one kind the first at once and the others collected. Answers what can be told now.
   */
  take(facts: readonly Said[], now: Date): Promise<Notification[]>;
  /** Gives collected ones their sequence when they are due, once over all processes. `next`: when others will be. */
  publishDue(now: Date): Promise<{ readonly published: readonly Notification[]; readonly next: Date | null }>;
  /** Newest first, of the actor's own room and their tenant's. */
  list(actor: UserActor, listing: Listing): Promise<Notification[]>;
  unread(actor: UserActor): Promise<number>;
  /** After this sequence, oldest first. Without one: only where the room stands. */
  since(actor: UserActor, room: string, seq: number | undefined, limit: number): Promise<Missed>;
  /** Undefined: there is no such one in the actor's rooms. Marking twice changes nothing. */
  markRead(actor: UserActor, id: string, now: Date): Promise<Notification | undefined>;
  /** All up to now; answers how many were unread. */
  markAllRead(actor: UserActor, now: Date): Promise<number>;
  /** A word to a room that its pages should fetch again; the same `opId` again answers the same sequence. */
  addReload(
    actor: UserActor,
    room: string,
    reload: { readonly opId: string; readonly reason: string | null },
    now: Date,
  ): Promise<{ readonly seq: number; readonly fresh: boolean }>;
  forget(actor: Actor, olderThan: Date): Promise<number>;
}

export const NotificationRepository = token<NotificationRepository>('NotificationRepository');
