// Platform, sockets. One connection: answers every event, in order, exactly once. (Nest's gateways are not used: they
// leave an acknowledgement open when a handler throws, and do not answer events that they do not know.)
import { Logger } from '@nestjs/common';
import type { Socket } from 'socket.io';
import type { Clock } from '../../kernel/clock';
import type { UserActor } from '../../kernel/actor';
import type { SignedIn } from '../auth';
import { type SocketRefusal, socketRefusal } from '../protocol/socket-errors';
import type { RequestValidation } from '../protocol/validation';
import { wireTime } from '../protocol/wire-time';
import { AuthRequest, OtherPersonError } from './auth.request';
import { SessionLife } from './session-life';
import { isCongested } from './slow-consumers';
import type { EmitOptions, LeaveReason, Peer, SocketDoor } from './socket-door';
import type { SocketMetrics } from './socket-metrics';
import { TokenBucket } from './token-bucket';

export interface ConnectionParts {
  readonly clock: Clock;
  readonly validation: RequestValidation;
  readonly metrics: SocketMetrics;
  authenticate(credential: string, now: Date): Promise<SignedIn>;
}

type Answer = (answer: object) => void;

const LARGEST_EVENT_BYTES = 16 * 1024;
const RATE = { perSecond: 20, burst: 40 };

export class SocketConnection implements Peer {
  private readonly logger = new Logger('Sockets');
  private readonly life: SessionLife;
  private readonly bucket: TokenBucket;
  /** Ends when everything heard so far has been answered. */
  private tail: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: Socket,
    private readonly door: SocketDoor,
    private readonly parts: ConnectionParts,
    signedIn: SignedIn,
    credential: string,
    readonly handshake: Readonly<Record<string, unknown>>,
  ) {
    this.bucket = new TokenBucket(door.rate ?? RATE, performance.now());
    this.life = new SessionLife(signedIn, credential, {
      clock: parts.clock,
      authenticate: (text, now) => parts.authenticate(text, now),
      say: (event, expiresAt) => this.emit(event, { expires_at: wireTime(expiresAt) }),
      cut: () => void this.socket.disconnect(true),
    });
  }

  get id(): string {
    return this.socket.id;
  }

  get actor(): UserActor {
    return this.life.actor;
  }

  get congested(): boolean {
    return isCongested(this.socket.conn);
  }

  /** When this connection has nothing in hand. */
  get idle(): Promise<void> {
    return this.tail;
  }

  begin(): void {
    this.socket.onAny((name: string, ...args: unknown[]) => this.hear(name, args));
    this.socket.on('disconnecting', (reason: string) => {
      this.life.end();
      this.then(() => Promise.resolve(this.door.left?.(this, leaveReason(reason), this.parts.clock.now())));
    });
    this.then(() => this.greet());
    this.life.begin();
  }

  async join(room: string): Promise<void> {
    await this.socket.join(room);
  }

  async leave(room: string): Promise<void> {
    await this.socket.leave(room);
  }

  isIn(room: string): boolean {
    return this.socket.rooms.has(room);
  }

  emit(event: string, payload: object): void {
    this.socket.emit(event, payload);
  }

  broadcast(room: string, event: string, payload: object, { volatile = false }: EmitOptions = {}): void {
    (volatile ? this.socket.volatile : this.socket).to(room).emit(event, payload);
  }

  private async greet(): Promise<void> {
    const now = this.parts.clock.now();
    const more = await this.door.hello?.(this, now);
    this.emit('hello', {
      server_time: wireTime(now),
      session_expires_at: this.life.expiresAt === null ? null : wireTime(this.life.expiresAt),
      recovered: this.socket.recovered,
      ...more,
    });
  }

  private hear(name: string, args: unknown[]): void {
    const last = args.at(-1);
    const ack = typeof last === 'function' ? (args.pop() as Answer) : undefined;
    const answer: Answer = (text) => {
      // Acknowledged or not, a sender that is gone hears nothing; Socket.IO drops it silently.
      ack?.(text);
    };
    const known = name === 'auth' || Object.hasOwn(this.door.events, name);
    const refuse = (refusal: SocketRefusal): void => {
      this.parts.metrics.heard(this.door.name, known ? name : 'unknown', refusal.code);
      answer({ ok: false, error: refusal });
    };
    // Before anything is done with it, so that a flood costs no more than its refusals.
    if (!this.bucket.take(performance.now())) return refuse(RATE_LIMITED);
    if (size(args) > LARGEST_EVENT_BYTES) return refuse(TOO_LARGE);
    if (!known) return refuse({ code: 'unknown_event', message: `There is no event ${printable(name)} here.` });
    if (args.length > 1) return refuse({ code: 'bad_request', message: 'An event has one payload, an object.' });
    const [body = {}] = args;
    // A renewal does not wait behind what the old token has asked for.
    if (name === 'auth') void this.answer(name, body, answer, refuse);
    else this.then(() => this.answer(name, body, answer, refuse));
  }

  private async answer(
    name: string,
    body: unknown,
    answer: Answer,
    refuse: (refusal: SocketRefusal) => void,
  ): Promise<void> {
    try {
      if (this.life.expired && name !== 'auth') return refuse(EXPIRED);
      const result = name === 'auth' ? await this.renew(body) : await this.perform(name, body);
      this.parts.metrics.heard(this.door.name, name, 'ok');
      answer({ ok: true, ...result });
    } catch (error) {
      const refusal = socketRefusal(error, this.door.refusals);
      if (refusal.code === 'internal') this.logger.error({ err: error }, `${this.door.name} ${name} failed`);
      refuse(refusal);
    }
  }

  private async perform(name: string, body: unknown): Promise<object | void> {
    const event = this.door.events[name];
    if (event === undefined) throw new Error(`no event ${name}`);
    const valid = (await this.parts.validation.transform(body, { type: 'body', metatype: event.body })) as object;
    return event.run(this, valid, this.parts.clock.now());
  }

  private async renew(body: unknown): Promise<object> {
    const { token } = (await this.parts.validation.transform(body, {
      type: 'body',
      metatype: AuthRequest,
    })) as AuthRequest;
    const signedIn = await this.parts.authenticate(token, this.parts.clock.now());
    const { tenantId, userId } = this.actor;
    if (signedIn.actor.tenantId !== tenantId || signedIn.actor.userId !== userId) throw new OtherPersonError();
    this.life.renew(signedIn, token);
    return { expires_at: signedIn.expiresAt === null ? null : wireTime(signedIn.expiresAt) };
  }

  private then(work: () => Promise<unknown>): void {
    this.tail = this.tail.then(work).then(
      () => undefined,
      (error: unknown) => this.logger.error({ err: error }, `${this.door.name} failed`),
    );
  }
}

const RATE_LIMITED: SocketRefusal = { code: 'rate_limited', message: 'Too many events; send fewer.' };
const EXPIRED: SocketRefusal = {
  code: 'unauthorized',
  message: 'The session has expired; send auth with a new token.',
};
const TOO_LARGE: SocketRefusal = {
  code: 'payload_too_large',
  message: `An event may have ${LARGEST_EVENT_BYTES / 1024} KiB.`,
};

function size(args: readonly unknown[]): number {
  return Buffer.byteLength(JSON.stringify(args));
}

function printable(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}

function leaveReason(reason: string): LeaveReason {
  if (reason === 'client namespace disconnect') return 'client';
  return reason.startsWith('server') || reason === 'forced close' ? 'cut' : 'lost';
}
