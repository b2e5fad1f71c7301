// Test support. A mail server for one test: takes whatever it is given, and shows it. Speaks as much SMTP as a client needs.
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came over the wire: header fields, an empty line, the text. */
  readonly data: string;
}

export class SmtpSink {
  readonly mails: Mail[] = [];
  /** Said to each recipient in place of 250: `451 later`, `550 nobody`. */
  refusal: string | null = null;
  private readonly lines = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async open(): Promise<SmtpSink> {
    const server = createServer();
    const sink = new SmtpSink(server);
    server.on('connection', (socket) => sink.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const line of this.lines) line.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: Socket): void {
    this.lines.add(socket);
    socket.on('close', () => this.lines.delete(socket));
    socket.on('error', () => undefined);
    const say = (text: string): void => void socket.write(`${text}\r\n`);
    let from = '';
    let to: string[] = [];
    let data: string[] | null = null;
    const heard = (line: string): void => {
      if (data !== null) {
        if (line !== '.') return void data.push(line.replace(/^\./, ''));
        this.mails.push({ from, to, data: data.join('\n') });
        [data, to] = [null, []];
        return say('250 taken');
      }
      const address = /<(.*?)>/.exec(line)?.[1] ?? '';
      switch (line.slice(0, 4).toUpperCase()) {
        case 'EHLO':
        case 'HELO':
          return say('250 sink');
        case 'MAIL':
          from = address;
          return say('250 ok');
        case 'RCPT':
          if (this.refusal !== null) return say(this.refusal);
          to.push(address);
          return say('250 ok');
        case 'DATA':
          data = [];
          return say('354 go on');
        case 'QUIT':
          say('221 bye');
          return void socket.end();
        default:
          return say('250 ok');
      }
    };
    let rest = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      const lines = (rest + part).split('\r\n');
      rest = lines.pop() ?? '';
      lines.forEach(heard);
    });
    say('220 sink');
  }
}
