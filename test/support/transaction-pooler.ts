// Test support. A pooler in transaction mode, as strict as one can be: after each transaction the connection to PostgreSQL goes
// back, and the next transaction gets the one that has rested longest. Whoever relies on a session finds somebody else's.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Client } from 'pg';

/** A connection to PostgreSQL, taken from the driver once it has signed in. */
interface Backend {
  readonly client: Client;
  readonly socket: Socket;
  readonly driver: ((chunk: Buffer) => void)[];
  user: Guest | undefined;
}

interface Guest {
  readonly socket: Socket;
  backend: Backend | undefined;
  /** Messages that wait for a backend. */
  waiting: Buffer[];
  /** Questions whose answer (ReadyForQuery) has not come yet. */
  unanswered: number;
}

/** What a session should not have kept. */
export interface SessionState {
  readonly role: string;
  readonly is_super_admin: string | null;
  readonly user_id: string | null;
  readonly locks: number;
  readonly prepared: number;
  readonly channels: number;
  readonly statement_timeout: string;
}

const STATE = `
  select current_setting('role') as role,
         nullif(current_setting('app.is_super_admin', true), '') as is_super_admin,
         nullif(current_setting('app.user_id', true), '') as user_id,
         (select count(*)::integer from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks,
         (select count(*)::integer from pg_prepared_statements) as prepared,
         (select count(*)::integer from pg_listening_channels()) as channels,
         current_setting('statement_timeout') as statement_timeout`;

const ACCEPTED = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  message('S', Buffer.from('server_version\0' + '16.0\0')),
  message('S', Buffer.from('client_encoding\0UTF8\0')),
  message('S', Buffer.from('standard_conforming_strings\0on\0')),
  // For cancelling: the pooler's own invention, as everywhere.
  message('K', Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1])),
  message('Z', Buffer.from('I')),
]);

export class TransactionPooler {
  /** How many transactions there were, and how often one guest had another backend than before. */
  transactions = 0;
  changes = 0;
  private readonly idle: Backend[];
  private readonly queue: Guest[] = [];
  private readonly guests = new Set<Guest>();
  private readonly last = new WeakMap<Guest, Backend>();

  private constructor(
    private readonly server: Server,
    private readonly backends: readonly Backend[],
  ) {
    this.idle = [...backends];
    for (const backend of backends)
      backend.socket.on(
        'data',
        splitter((whole) => this.answered(backend, whole)),
      );
    server.on('connection', (socket) => this.welcome(socket));
  }

  static async before(url: string, size: number): Promise<TransactionPooler> {
    const backends: Backend[] = [];
    for (let count = 0; count < size; count++) backends.push(await backend(url));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TransactionPooler(server, backends);
  }

  url(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String((this.server.address() as AddressInfo).port);
    return through.href;
  }

  /** What was left on the connections by whoever has used them. Nobody may be connected any more. */
  async leftOnSessions(): Promise<SessionState[]> {
    const states: SessionState[] = [];
    for (const { client, socket, driver } of this.backends) {
      socket.removeAllListeners('data');
      for (const listener of driver) socket.on('data', listener);
      states.push((await client.query<SessionState>(STATE)).rows[0]!);
    }
    return states;
  }

  async close(): Promise<void> {
    for (const { socket } of this.guests) socket.destroy();
    for (const { client, socket } of this.backends) {
      client.on('error', () => undefined);
      socket.destroy();
    }
    await new Promise((resolve) => this.server.close(resolve));
  }

  private welcome(socket: Socket): void {
    const guest: Guest = { socket, backend: undefined, waiting: [], unanswered: 0 };
    this.guests.add(guest);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.gone(guest));
    // The first message has no type; its settings are ignored (PgBouncer: ignore_startup_parameters), and all may enter.
    socket.once('data', () => {
      socket.write(ACCEPTED);
      socket.on(
        'data',
        splitter((whole) => this.asked(guest, whole)),
      );
    });
  }

  private asked(guest: Guest, whole: Buffer): void {
    const type = whole.toString('latin1', 0, 1);
    if (type === 'X') return void guest.socket.end();
    if (type === 'Q' || type === 'S' || type === 'F') guest.unanswered += 1;
    if (guest.backend !== undefined) return void guest.backend.socket.write(whole);
    guest.waiting.push(whole);
    if (!this.queue.includes(guest)) this.queue.push(guest);
    this.serve();
  }

  private answered(backend: Backend, whole: Buffer): void {
    const { user } = backend;
    if (user === undefined) return;
    user.socket.write(whole);
    if (whole.toString('latin1', 0, 1) !== 'Z') return;
    user.unanswered -= 1;
    if (user.unanswered > 0 || whole.toString('latin1', 5, 6) !== 'I') return;
    this.transactions += 1;
    if ((this.last.get(user) ?? backend) !== backend) this.changes += 1;
    this.last.set(user, backend);
    user.backend = backend.user = undefined;
    this.idle.push(backend);
    this.serve();
  }

  private serve(): void {
    for (let next = this.queue[0]; next !== undefined && this.idle.length > 0; next = this.queue[0]) {
      this.queue.shift();
      const backend = this.idle.shift()!;
      [next.backend, backend.user] = [backend, next];
      for (const whole of next.waiting.splice(0)) backend.socket.write(whole);
    }
  }

  /** Whoever goes in the middle leaves a transaction behind, which is rolled back. */
  private gone(guest: Guest): void {
    this.guests.delete(guest);
    const at = this.queue.indexOf(guest);
    if (at >= 0) this.queue.splice(at, 1);
    if (guest.backend === undefined) return;
    guest.unanswered += 1;
    guest.backend.socket.write(message('Q', Buffer.from('rollback\0')));
  }
}

async function backend(url: string): Promise<Backend> {
  const client = new Client({ connectionString: url, application_name: 'pooler' });
  await client.connect();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const driver = stream.listeners('data') as Backend['driver'];
  stream.removeAllListeners('data');
  return { client, socket: stream, driver, user: undefined };
}

/** Cuts a stream into messages: a type byte, then a length that counts itself. */
function splitter(each: (whole: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      const whole = Buffer.from(rest.subarray(0, end));
      rest = rest.subarray(end);
      each(whole);
    }
  };
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}
