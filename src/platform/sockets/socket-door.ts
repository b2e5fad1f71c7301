// Platform, sockets. What a feature says of its namespace, and what it is told of a connection. A door knows its events;
// tokens, limits, acknowledgements and the way between several processes are the business of this folder.
import type { Type } from '@nestjs/common';
import type { UserActor } from '../../kernel/actor';
import type { SocketRefusals } from '../protocol/socket-errors';

/** One connection of one signed-in person to one namespace. */
export interface Peer {
  readonly id: string;
  /** Who it is by now: a renewed token may bring other roles. */
  readonly actor: UserActor;
  /** What the client gave beside its token when it connected. Anything: check it in `admit`. */
  readonly handshake: Readonly<Record<string, unknown>>;
  /** So much waits to be sent that only what cannot be asked for again should be added. */
  readonly congested: boolean;
  join(room: string): Promise<void>;
  leave(room: string): Promise<void>;
  isIn(room: string): boolean;
  emit(event: string, payload: object): void;
  /** To the others in the room, in every process. */
  broadcast(room: string, event: string, payload: object, options?: EmitOptions): void;
}

export interface EmitOptions {
  /** May be dropped wherever it cannot be sent at this moment. */
  readonly volatile?: boolean;
}

/** Why a connection has ended: `client` said so, the line is `lost`, or the server `cut` it (token, slowness, stop). */
export type LeaveReason = 'client' | 'lost' | 'cut';

export interface SocketEvent {
  /** With class-validator's rules, like a request body: unknown keys are refused. */
  readonly body: Type;
  /** Its answer becomes `{ok: true, …}`; what it throws becomes `{ok: false, error}`. */
  run(peer: Peer, body: object, now: Date): Promise<object | void>;
}

export function socketEvent<B extends object>(
  body: Type<B>,
  run: (peer: Peer, body: B, now: Date) => Promise<object | void>,
): SocketEvent {
  return { body, run };
}

export interface SocketDoor {
  /** The namespace: `/socket/notification`. */
  readonly name: string;
  /** `auth` is there for every door. Events of one connection run one after the other. */
  readonly events: Readonly<Record<string, SocketEvent>>;
  readonly refusals?: SocketRefusals;
  /** Events that are no more than hints: told to be slow, the client may drop them. Default: 20 a second, 40 at once. */
  readonly rate?: { readonly perSecond: number; readonly burst: number };
  /** A last word on who may come in, and with which handshake. Throws to refuse. */
  admit?(actor: UserActor, handshake: Readonly<Record<string, unknown>>): void;
  /** What `hello` says beside the time and the end of the session. */
  hello?(peer: Peer, now: Date): Promise<object>;
  /** It is in its rooms still. */
  left?(peer: Peer, reason: LeaveReason, now: Date): void | Promise<void>;
}

/** An open door, for whoever has something to say to those behind it. Reaches the connections of every process. */
export interface Doorway {
  emit(room: string, event: string, payload: object, options?: EmitOptions): void;
  /** Takes every connection of this person out of a room: a right has been withdrawn. */
  evict(person: { readonly tenantId: number; readonly userId: string }, room: string): void;
  /** Rooms that connections of this process are in. */
  localRooms(): string[];
}
