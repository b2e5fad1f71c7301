// Use case. A person's notifications: their own, and those of their tenant.
import type { UserActor } from '../../kernel/actor';
import { NotificationNotFoundError } from '../domain/errors';
import type { Listing, Notification } from '../domain/notification';
import { roomName, userRoom } from '../domain/room';
import type { NotificationRepository } from '../ports/notification-repository';

export class ReadNotifications {
  constructor(private readonly notifications: NotificationRepository) {}

  list(actor: UserActor, listing: Listing): Promise<Notification[]> {
    return this.notifications.list(actor, listing);
  }

  unread(actor: UserActor): Promise<number> {
    return this.notifications.unread(actor);
  }

  /** The last sequence of their own room. */
  async lastSequence(actor: UserActor): Promise<number> {
    return (await this.notifications.since(actor, roomName(userRoom(actor)), undefined, 1)).seq;
  }

  async markRead(actor: UserActor, id: string, now: Date): Promise<Notification> {
    const marked = await this.notifications.markRead(actor, id, now);
    if (marked === undefined) throw new NotificationNotFoundError(id);
    return marked;
  }

  markAllRead(actor: UserActor, now: Date): Promise<number> {
    return this.notifications.markAllRead(actor, now);
  }
}
