// Use case. Retention: old notifications and old deliveries are forgotten.
import { systemActor } from '../../kernel/actor';
import type { DeliveryRepository } from '../ports/delivery-repository';
import type { NotificationRepository } from '../ports/notification-repository';

const RETENTION = systemActor('retention of notifications');

export class ForgetNotifications {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly policy: { readonly keepDays: number },
  ) {}

  async run(now: Date): Promise<void> {
    const olderThan = new Date(now.getTime() - this.policy.keepDays * 86_400_000);
    while ((await this.notifications.forget(RETENTION, olderThan)) > 0);
    while ((await this.deliveries.forget(olderThan)) > 0);
  }
}
