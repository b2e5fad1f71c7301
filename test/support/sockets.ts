// Test support. A client of the sockets, as the world has them: socket.io-client, over WebSocket alone.
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';

/** What a client hears is looked into by tests, whatever it is. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Payload = Record<string, any>;

export interface Heard {
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

export interface SocketClient {
  readonly socket: Socket;
  /** Everything that came, in order. */
  readonly heard: readonly Heard[];
  /** Sends, and waits for the acknowledgement. */
  ask(event: string, ...payload: unknown[]): Promise<Payload>;
  /** The next one of this name that was not handed out yet. */
  next(event: string, matches?: (payload: Payload) => boolean): Promise<Payload>;
  /** Why it was disconnected. */
  disconnected(): Promise<string>;
  close(): void;
}

interface Waiting {
  readonly event: string;
  readonly matches: (payload: Payload) => boolean;
  readonly resolve: (payload: Payload) => void;
}

/** Rejects with the refusal's data when it is not let in. */
export async function socketClient(
  url: string,
  namespace: string,
  auth: Record<string, unknown>,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Promise<SocketClient> {
  const socket = io(url + namespace, {
    auth,
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...options,
  });
  const heard: Heard[] = [];
  const unclaimed: Heard[] = [];
  const waiting: Waiting[] = [];
  const ended = new Promise<string>((resolve) => socket.on('disconnect', (reason) => resolve(reason)));
  socket.onAny((event: string, payload: Record<string, unknown> = {}) => {
    heard.push({ event, payload });
    const index = waiting.findIndex((one) => one.event === event && one.matches(payload));
    if (index === -1) unclaimed.push({ event, payload });
    else waiting.splice(index, 1)[0]!.resolve(payload);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', (error) => {
      socket.disconnect();
      const { data } = error as Error & { data?: unknown };
      reject(data === undefined ? error : Object.assign(new Error(error.message), { data }));
    });
  });
  return {
    socket,
    heard,
    ask: (event, ...payload) => socket.emitWithAck(event, ...payload) as Promise<Payload>,
    next: (event, matches = () => true) => {
      const index = unclaimed.findIndex((one) => one.event === event && matches(one.payload));
      if (index !== -1) return Promise.resolve(unclaimed.splice(index, 1)[0]!.payload);
      return new Promise((resolve) => waiting.push({ event, matches, resolve }));
    },
    disconnected: () => ended,
    close: () => void socket.disconnect(),
  };
}
