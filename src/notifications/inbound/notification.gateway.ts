// Inbound. The namespace /socket/notification.
import type { Peer, SocketDoor } from '../../platform/sockets';
import { NotJoinedError, socketEvent } from '../../platform/sockets';
import { wireTime } from '../../platform/protocol/wire-time';
import type { Notification } from '../domain/notification';
import { roomName, roomOf, socketRoom } from '../domain/room';
import type { EnterRoom } from '../usecases/enter-room';
import type { ReadNotifications } from '../usecases/read-notifications';
import type { ReloadRoom } from '../usecases/reload-room';
import { JoinRequest, LeaveRequest, ReloadRequest } from './room.request';

export const NOTIFICATION_NAMESPACE = '/socket/notification';

export class NotificationGateway implements SocketDoor {
  readonly name = NOTIFICATION_NAMESPACE;

  constructor(
    private readonly enterRoom: EnterRoom,
    private readonly reloadRoom: ReloadRoom,
    private readonly readNotifications: ReadNotifications,
  ) {}

  readonly events: SocketDoor['events'] = {
    join: socketEvent(JoinRequest, (peer, body) => this.join(peer, body)),
    leave: socketEvent(LeaveRequest, async (peer, { room }) => {
      await peer.leave(socketRoom(peer.actor.tenantId, roomName(room)));
    }),
    reload: socketEvent(ReloadRequest, (peer, body, now) => this.reload(peer, body, now)),
  };

  async hello(peer: Peer): Promise<object> {
    return { last_seq: await this.readNotifications.lastSequence(peer.actor) };
  }

  private async join(peer: Peer, { room, since }: JoinRequest): Promise<object> {
    const { seq, missed, truncated } = await this.enterRoom.run(peer.actor, room, since, (name) => peer.join(name));
    return { seq, missed: missed.map(said), truncated };
  }

  private async reload(peer: Peer, { room, reason, op_id: opId }: ReloadRequest, now: Date): Promise<object> {
    if (!peer.isIn(socketRoom(peer.actor.tenantId, roomName(room)))) throw new NotJoinedError();
    return this.reloadRoom.run(peer.actor, { room, opId, reason: reason ?? null }, now);
  }
}

function said({ room, seq, id, kind, title, data, createdAt }: Notification): object {
  return { room: roomOf(room), seq, id, kind, title, data, created_at: wireTime(createdAt) };
}
