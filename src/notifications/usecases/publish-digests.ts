// Use case. Digests whose time has come are given their sequence and told. Answers when the next one is due.
import type { LiveRooms } from '../ports/live-rooms';
import type { NotificationRepository } from '../ports/notification-repository';

export class PublishDigests {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly live: LiveRooms,
  ) {}

  async run(now: Date): Promise<Date | null> {
    const { published, next } = await this.notifications.publishDue(now);
    for (const notification of published) this.live.tell(notification);
    return next;
  }
}
