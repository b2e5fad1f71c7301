// Use case. Facts of other features have arrived: write what is to be said, then tell whoever is looking.
import { type Fact, reloads, said } from '../domain/fact';
import { roomName } from '../domain/room';
import type { LiveRooms } from '../ports/live-rooms';
import type { NotificationRepository } from '../ports/notification-repository';

export class TakeFacts {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly live: LiveRooms,
  ) {}

  async run(facts: readonly Fact[], now: Date): Promise<void> {
    const told = facts.map(said).filter((one) => one !== null);
    const published = told.length === 0 ? [] : await this.notifications.take(told, now);
    for (const notification of published) this.live.tell(notification);
    for (const fact of facts) {
      for (const room of reloads(fact)) {
        // Not a row of its own: the fact is one already, and its id grows like a sequence.
        const reload = { room: roomName(room), seq: Number(fact.id), reason: fact.type, by: null, at: fact.occurredAt };
        this.live.reload(fact.tenantId, reload);
      }
    }
  }
}
