// Domain. Rooms: whom a notification is for. Their names are made here, never by a client.
import type { Owner } from '../../kernel/actor';

export const ROOM_TYPES = ['user', 'tenant', 'discussion', 'run'] as const;
export type RoomType = (typeof ROOM_TYPES)[number];

export interface Room {
  readonly type: RoomType;
  readonly id: string;
}

/** As it is stored, beside its tenant. */
export function roomName({ type, id }: Room): string {
  return `${type}:${id}`;
}

/** As sockets join it: the same name in another tenant is another room. */
export function socketRoom(tenantId: number, room: string): string {
  return `${tenantId} ${room}`;
}

export function userRoom({ userId }: Pick<Owner, 'userId'>): Room {
  return { type: 'user', id: userId };
}

export function tenantRoom({ tenantId }: Pick<Owner, 'tenantId'>): Room {
  return { type: 'tenant', id: String(tenantId) };
}

export function roomOf(name: string): Room {
  const colon = name.indexOf(':');
  return { type: name.slice(0, colon) as RoomType, id: name.slice(colon + 1) };
}
