// Use case. Into a room, with everything since a sequence. Whose room it is not, for them it does not exist.
import type { UserActor } from '../../kernel/actor';
import { RoomNotFoundError } from '../domain/errors';
import { type Room, roomName, socketRoom } from '../domain/room';
import type { Missed, NotificationRepository } from '../ports/notification-repository';
import type { RoomRights } from '../ports/room-rights';

const MOST_MISSED = 200;

export class EnterRoom {
  constructor(
    private readonly rights: RoomRights,
    private readonly notifications: NotificationRepository,
  ) {}

  /** `enter` is called between the check and the look: what is said in that moment comes twice rather than never. */
  async run(
    actor: UserActor,
    room: Room,
    since: number | undefined,
    enter: (socketRoom: string) => Promise<void>,
  ): Promise<Missed> {
    if ((await this.rights.of(actor, room)) === 'none') throw new RoomNotFoundError();
    await enter(socketRoom(actor.tenantId, roomName(room)));
    return this.notifications.since(actor, roomName(room), since, MOST_MISSED);
  }
}
