// Test support. Stands between a client and PostgreSQL, and spoils the line as a network or a pooler would.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private silent = false;
  private withoutNotifications = false;
  private refuses = false;
  private ignoresOptions = false;
  private constructor(private readonly server: Server) {}

  static async before(url: string): Promise<DatabaseProxy> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const proxy = new DatabaseProxy(server);
    server.on('connection', (client) => {
      if (proxy.refuses) client.destroy();
      else proxy.join(client, connect(Number(port), hostname));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  url(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((this.server.address() as AddressInfo).port);
    return through.href;
  }

  /** Half open: both ends keep their sockets, and nothing passes any more on those there are. New lines work. */
  muteOpenLines(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.removeAllListeners('data');
      socket.resume();
    }
  }

  /** Both ends see their lines break. New lines work. */
  cutOpenLines(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** New lines break at once. */
  refuseNewLines(refuses: boolean): void {
    this.refuses = refuses;
  }

  /** New lines are accepted and lead nowhere. */
  swallowNewLines(silent: boolean): void {
    this.silent = silent;
  }

  /** As behind a pooler in transaction mode: statements are answered, notifications are nobody's. */
  dropNotifications(): void {
    this.withoutNotifications = true;
  }

  /** As a pooler does that is told to ignore them: settings at the start of a connection do not reach the server. */
  ignoreStartupOptions(): void {
    this.ignoresOptions = true;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket, database: Socket): void {
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    if (this.silent) {
      client.resume();
      return;
    }
    if (this.ignoresOptions) {
      client.once('data', (startup: Buffer) => {
        database.write(withoutOptions(startup));
        client.pipe(database);
      });
    } else client.pipe(database);
    if (!this.withoutNotifications) database.pipe(client);
    else
      database.on(
        'data',
        withoutNotifications((message) => client.write(message)),
      );
  }
}

/** Cuts the server's stream into messages (a type byte, then a length that counts itself) and drops type A. */
function withoutNotifications(write: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      if (rest.toString('latin1', 0, 1) !== 'A') write(Buffer.from(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
  };
}

/** The first message of a connection: its length, the protocol, then names and values, each ended by a zero. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.toString('utf8', 8).split('\0');
  const kept: string[] = [];
  for (let at = 0; at + 1 < words.length && words[at] !== ''; at += 2) {
    if (words[at] !== 'options') kept.push(words[at]!, words[at + 1]!);
  }
  const body = Buffer.from(`${kept.join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length);
  startup.copy(head, 4, 4, 8);
  return Buffer.concat([head, body]);
}
