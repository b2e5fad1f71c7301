// Platform, sockets. The Socket.IO server of the house, on its HTTP server. Features open their doors (namespaces) here.
import { Logger } from '@nestjs/common';
import type { IncomingMessage, Server as HttpServer } from 'node:http';
import { type Namespace, Server, type Socket } from 'socket.io';
import { NotSignedInError, type SignedIn } from '../auth';
import { type SocketRefusal, socketRefusal } from '../protocol/socket-errors';
import { RedisFanOut, type RedisSettings } from './redis-fan-out';
import { cutWhenSlow } from './slow-consumers';
import { type ConnectionParts, SocketConnection } from './socket-connection';
import type { Doorway, EmitOptions, SocketDoor } from './socket-door';

export interface SocketSettings {
  readonly mostConnections: number;
  readonly redis?: RedisSettings;
}

interface Admitted {
  readonly signedIn: SignedIn;
  readonly credential: string;
  readonly handshake: Readonly<Record<string, unknown>>;
}

/** Several events fit in; more than this is cut by the transport itself. */
const LARGEST_MESSAGE_BYTES = 64 * 1024;
const CONNECT_WITHIN_MS = 10_000;
const LAST_ANSWERS_MS = 2_000;
const RETURN_WITHIN_MS = 5_000;

export class Sockets {
  private readonly logger = new Logger('Sockets');
  private readonly connections = new Set<SocketConnection>();
  private readonly server: Server;
  private fanOut: RedisFanOut | undefined;
  private closing = false;

  constructor(
    private readonly settings: SocketSettings,
    private readonly parts: () => ConnectionParts,
  ) {
    this.server = new Server({
      maxHttpBufferSize: LARGEST_MESSAGE_BYTES,
      connectTimeout: CONNECT_WITHIN_MS,
      allowRequest: (request, decide) => decide(this.full(request), !this.closing && !this.crowded()),
    });
    // Everybody could sit in the root namespace, signed in or not.
    this.server.use((_socket, next) =>
      next(refusal({ code: 'not_found', message: 'There is nothing in this namespace.' })),
    );
  }

  get count(): number {
    return this.connections.size;
  }

  /** Undefined without Redis. */
  get fansOut(): boolean | undefined {
    return this.fanOut?.connected;
  }

  /** Before the server listens. */
  open(door: SocketDoor): void {
    const namespace = this.server.of(door.name);
    namespace.use((socket, next) => {
      this.admit(door, socket).then(
        () => next(),
        (error: unknown) => {
          const words = socketRefusal(error, door.refusals);
          if (words.code === 'internal') this.logger.error({ err: error }, `${door.name}: a connection failed`);
          this.parts().metrics.refused(door.name, words.code);
          next(refusal(words));
        },
      );
    });
    namespace.on('connection', (socket) => this.welcome(door, socket));
  }

  /** For whoever speaks to those behind a door. */
  doorway(name: string): Doorway {
    return doorway(() => this.server.of(name));
  }

  async start(http: HttpServer): Promise<void> {
    const { redis } = this.settings;
    if (redis !== undefined) this.fanOut = await RedisFanOut.open(redis, this.server);
    this.server.attach(http);
    this.server.engine.on('connection', (connection: Socket['conn']) =>
      cutWhenSlow(connection, () => {
        this.logger.warn('A connection was cut: it does not read what it is sent');
        this.parts().metrics.cutSlow();
      }),
    );
  }

  /** Everybody is asked to come back at a moment of their own, so that they do not all come at once. */
  async close(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    for (const connection of this.connections) {
      connection.emit('server:restart', { after_ms: Math.round(Math.random() * RETURN_WITHIN_MS) });
    }
    await Promise.race([this.idle(), pause(LAST_ANSWERS_MS)]);
    for (const namespace of this.server._nsps.values()) namespace.local.disconnectSockets(true);
    // Doors write down who has left.
    await Promise.race([this.idle(), pause(LAST_ANSWERS_MS)]);
    // Not server.close(): it would close the HTTP server, which has requests of its own to end.
    for (const namespace of this.server._nsps.values()) await namespace.adapter.close();
    this.server.engine?.close();
    this.fanOut?.close();
  }

  private async admit(door: SocketDoor, socket: Socket): Promise<void> {
    const { token, ...handshake } = socket.handshake.auth;
    if (typeof token !== 'string' || token === '') throw new NotSignedInError();
    const parts = this.parts();
    const signedIn = await parts.authenticate(token, parts.clock.now());
    door.admit?.(signedIn.actor, handshake);
    (socket.data as { admitted?: Admitted }).admitted = { signedIn, credential: token, handshake };
  }

  private welcome(door: SocketDoor, socket: Socket): void {
    const data = socket.data as { admitted?: Admitted };
    const { admitted } = data;
    // Nothing of it is handed to other processes, or kept longer than the connection.
    delete data.admitted;
    if (admitted === undefined || this.closing) return void socket.disconnect(true);
    const { signedIn, credential, handshake } = admitted;
    const connection = new SocketConnection(socket, door, this.parts(), signedIn, credential, handshake);
    this.connections.add(connection);
    socket.on('disconnect', () => void connection.idle.then(() => this.connections.delete(connection)));
    void socket.join(personRoom(signedIn.actor));
    connection.begin();
  }

  private async idle(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.idle));
  }

  private crowded(): boolean {
    return this.server.engine.clientsCount >= this.settings.mostConnections;
  }

  private full(request: IncomingMessage): string | null {
    if (!this.crowded()) return null;
    this.logger.warn(`No more than ${this.settings.mostConnections} connections: ${request.method ?? 'GET'} refused`);
    return 'no more connections';
  }
}

/** Letters that no feature's room begins with. */
function personRoom({ tenantId, userId }: { tenantId: number; userId: string }): string {
  return `@person ${tenantId} ${userId}`;
}

function doorway(namespace: () => Namespace): Doorway {
  return {
    emit: (room, event, payload, { volatile = false }: EmitOptions = {}) =>
      void (volatile ? namespace().volatile : namespace()).to(room).emit(event, payload),
    evict: (person, room) => namespace().in(personRoom(person)).socketsLeave(room),
    localRooms: () => [...namespace().adapter.rooms.keys()],
  };
}

function refusal(words: SocketRefusal): Error & { data: SocketRefusal } {
  return Object.assign(new Error(words.message), { data: words });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
