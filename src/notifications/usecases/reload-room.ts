// Use case. Somebody asks the pages of a room to fetch again. Once for each operation, however often it is sent.
import type { UserActor } from '../../kernel/actor';
import { ReloadRefusedError, RoomNotFoundError } from '../domain/errors';
import { type Room, roomName } from '../domain/room';
import type { LiveRooms } from '../ports/live-rooms';
import type { NotificationRepository } from '../ports/notification-repository';
import type { RoomRights } from '../ports/room-rights';

export class ReloadRoom {
  constructor(
    private readonly rights: RoomRights,
    private readonly notifications: NotificationRepository,
    private readonly live: LiveRooms,
  ) {}

  async run(
    actor: UserActor,
    input: { readonly room: Room; readonly opId: string; readonly reason: string | null },
    now: Date,
  ): Promise<{ seq: number }> {
    const right = await this.rights.of(actor, input.room);
    if (right === 'none') throw new RoomNotFoundError();
    if (right === 'read') throw new ReloadRefusedError();
    const room = roomName(input.room);
    const { seq, fresh } = await this.notifications.addReload(actor, room, input, now);
    if (fresh) {
      this.live.reload(actor.tenantId, { seq, room, reason: input.reason, by: actor.userId, at: now });
    }
    return { seq };
  }
}
