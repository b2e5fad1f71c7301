// Port. Who may be in a room, asked at each joining.
import type { UserActor } from '../../kernel/actor';
import { token } from '../../kernel/token';
import type { Room } from '../domain/room';

/** `none`: for this actor the room does not exist. */
export type RoomRight = 'none' | 'read' | 'write';

export interface RoomRights {
  of(actor: UserActor, room: Room): Promise<RoomRight>;
}

export const RoomRights = token<RoomRights>('RoomRights');
