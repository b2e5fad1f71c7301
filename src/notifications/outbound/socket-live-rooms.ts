// Outbound adapter. Live rooms by sockets.
import { wireTime } from '../../platform/protocol/wire-time';
import type { Doorway } from '../../platform/sockets';
import type { Notification, Reload } from '../domain/notification';
import { roomOf, socketRoom } from '../domain/room';
import type { LiveRooms } from '../ports/live-rooms';

/** To fetch again within this time is to fetch again once. */
const COLLAPSED_MS = 250;

export class SocketLiveRooms implements LiveRooms {
  private readonly waiting = new Map<string, { latest: Reload; timer: NodeJS.Timeout }>();

  constructor(private readonly doorway: Doorway) {}

  tell({ tenantId, room, seq, id, kind, title, data, createdAt }: Notification): void {
    const payload = { room: roomOf(room), seq, id, kind, title, data, created_at: wireTime(createdAt) };
    this.doorway.emit(socketRoom(tenantId, room), 'notification', payload);
  }

  /** The first at once; those that follow within the time as one, the newest. */
  reload(tenantId: number, reload: Reload): void {
    const room = socketRoom(tenantId, reload.room);
    const waiting = this.waiting.get(room);
    if (waiting !== undefined) {
      waiting.latest = reload;
      return;
    }
    this.send(room, reload);
    const entry = { latest: reload, timer: setTimeout(() => end(), COLLAPSED_MS).unref() };
    const end = (): void => {
      this.waiting.delete(room);
      if (entry.latest !== reload) this.send(room, entry.latest);
    };
    this.waiting.set(room, entry);
  }

  private send(socketName: string, { seq, room, reason, by, at }: Reload): void {
    this.doorway.emit(socketName, 'reload', { seq, room: roomOf(room), reason, by, at: wireTime(at) });
  }
}
