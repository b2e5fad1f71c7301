// Platform, persistence. "Look now": a wake-up between processes over PostgreSQL's LISTEN/NOTIFY. A wake says that
// there may be something to do and carries nothing else, so a lost one costs a poll interval and no more.
// Its connection is its own: a listening one cannot go back to the pool. What to do when woken is the listener's.
import { Logger } from '@nestjs/common';
import { Client } from 'pg';

export interface WakeChannelSettings {
  readonly url: string;
  /** Shows in pg_stat_activity, and so tells whose session it is. */
  readonly applicationName: string;
  /** How often the line is tried. A line that is cut somewhere in between looks open for ever otherwise. */
  readonly keepaliveMs?: number;
  /** A line that has not answered by then is given up. */
  readonly answerWithinMs?: number;
  readonly longestRetryMs?: number;
}

/** `deaf`: connected, but what is sent does not come back, as behind a pooler in transaction mode. */
export type WakeChannelState = 'stopped' | 'connecting' | 'listening' | 'deaf';

/** A line to the database; a reconnection makes a new one, and what an old one still says is not heard. */
interface Line {
  readonly client: Client;
  /** A pooler is in between: who answers is not who was connected to, and what is listened for is heard by others. */
  shared: boolean;
  /** The newest statement; the driver wants one at a time, and warns of more. */
  asked: Promise<unknown>;
  ownEcho?: () => void;
}

const CHANNEL = 'horarium_wake';
const ECHO = 'echo ';
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 3_000;

export class WakeChannel {
  private readonly logger = new Logger('WakeChannel');
  private readonly listeners = new Map<string, Set<() => void>>();
  private readonly sending = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Promise<void>>();
  private readonly keepaliveMs: number;
  private readonly answerWithinMs: number;
  private readonly longestRetryMs: number;
  private current: WakeChannelState = 'stopped';
  private line: Line | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private echoes = 0;
  /** The echo that is awaited; those of other processes arrive as well. */
  private expected = '';

  constructor(private readonly settings: WakeChannelSettings) {
    this.keepaliveMs = settings.keepaliveMs ?? 30_000;
    this.answerWithinMs = settings.answerWithinMs ?? 5_000;
    this.longestRetryMs = settings.longestRetryMs ?? LONGEST_RETRY_MS;
  }

  get state(): WakeChannelState {
    return this.current;
  }

  /** Connects in the background, and again whenever the line breaks. */
  start(): void {
    if (this.current !== 'stopped') return;
    this.current = 'connecting';
    void this.connect();
  }

  async stop(): Promise<void> {
    this.current = 'stopped';
    clearTimeout(this.timer);
    const { line } = this;
    this.line = undefined;
    if (line === undefined) return;
    const ended = line.client.end().catch(() => undefined);
    await within(this.answerWithinMs, ended).catch(() => cut(line.client));
  }

  /**
   * Calls `onWake` when the topic is woken, here or in another process, and at every (re)connection, since wakes may
   * have been lost before it. Answers how to stop listening.
   */
  listen(topic: string, onWake: () => void): Promise<() => Promise<void>> {
    const set = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, set.add(onWake));
    return Promise.resolve(() => {
      set.delete(onWake);
      return Promise.resolve();
    });
  }

  /**
   * Wakes the listeners of this process at once, then those of the others. Never fails: without a line the others
   * find out at their next poll. Call it after the commit of what there is to see; many calls at once become two.
   */
  notify(topic: string): Promise<void> {
    this.raise(topic);
    const underWay = this.sending.get(topic);
    if (underWay === undefined) return this.send(topic);
    // What is sent already may have come too early for this one; one more is enough for all that wait.
    const next = this.waiting.get(topic) ?? underWay.then(() => this.send(topic));
    this.waiting.set(topic, next);
    return next;
  }

  private send(topic: string): Promise<void> {
    this.waiting.delete(topic);
    const { line } = this;
    if (line === undefined) return Promise.resolve();
    const sent = this.ask(line, 'select pg_notify($1, $2)', [CHANNEL, topic]).then(() => {
      this.sending.delete(topic);
    });
    this.sending.set(topic, sent);
    return sent;
  }

  private async connect(): Promise<void> {
    const client = new Client({
      connectionString: this.settings.url,
      application_name: this.settings.applicationName,
      connectionTimeoutMillis: this.answerWithinMs,
      keepAlive: true,
    });
    const line: Line = { client, shared: false, asked: Promise.resolve() };
    client.on('error', (error) => this.lost(line, error));
    client.on('end', () => this.lost(line, new Error('the connection ended')));
    client.on('notification', ({ payload = '', processId }) => this.heard(line, payload, processId));
    this.line = line;
    try {
      await client.connect();
      line.shared = await within(this.answerWithinMs, isShared(client));
      if (!line.shared) await within(this.answerWithinMs, client.query(`listen ${CHANNEL}`));
    } catch (error) {
      return this.lost(line, error);
    }
    // Stopped in the meantime.
    if (this.line !== line) return cut(client);
    if (this.failures > 0 && !line.shared) this.logger.log('Listening for wakes again');
    this.failures = 0;
    this.current = line.shared ? 'deaf' : 'listening';
    if (line.shared) this.logger.warn('A pooler shares the connections to the database: wakes are found by polling');
    for (const topic of this.listeners.keys()) this.raise(topic);
    await this.tryLine(line);
  }

  /** Sends something that has to come back: proves that the line is open, and that notifications pass. */
  private async tryLine(line: Line): Promise<void> {
    const echo = `${ECHO}${process.pid} ${this.settings.applicationName} ${++this.echoes}`;
    const back = new Promise<void>((resolve) => {
      line.ownEcho = (): void => resolve();
    });
    this.expected = echo;
    if (!(await this.ask(line, 'select pg_notify($1, $2)', [CHANNEL, echo]))) return;
    const heard =
      !line.shared &&
      (await within(this.answerWithinMs, back).then(
        () => true,
        () => false,
      ));
    if (this.line !== line) return;
    if (!heard && this.current === 'listening') {
      this.logger.warn('The database takes LISTEN, but no wake arrives (a pooler in transaction mode?): polling only');
    }
    this.current = heard ? 'listening' : 'deaf';
    this.timer = setTimeout(() => void this.tryLine(line), this.keepaliveMs);
  }

  private heard(line: Line, payload: string, sender: number): void {
    if (this.line !== line) return;
    if (payload === this.expected) line.ownEcho?.();
    // What this process sent has woken its listeners already.
    else if (!payload.startsWith(ECHO) && sender !== backendOf(line.client)) this.raise(payload);
  }

  /** Answers whether the statement was answered. A line on which it was not is given up. */
  private async ask(line: Line, text: string, params: string[]): Promise<boolean> {
    try {
      const answer = line.asked.then(() => line.client.query(text, params));
      line.asked = answer.catch(() => undefined);
      await within(this.answerWithinMs, answer);
      return true;
    } catch (error) {
      this.lost(line, error);
      return false;
    }
  }

  private lost(line: Line, error: unknown): void {
    if (this.line !== line) return;
    this.line = undefined;
    cut(line.client);
    clearTimeout(this.timer);
    if (this.current === 'stopped') return;
    this.current = 'connecting';
    if (this.failures === 0) this.logger.warn(`No wakes from other processes for now: ${reason(error)}`);
    this.timer = setTimeout(
      () => void this.connect(),
      reconnectPauseMs(this.failures, Math.random(), this.longestRetryMs),
    );
    this.failures += 1;
  }

  private raise(topic: string): void {
    for (const onWake of this.listeners.get(topic) ?? []) {
      try {
        onWake();
      } catch (error) {
        this.logger.error(`A listener of ${topic} failed: ${reason(error)}`);
      }
    }
  }
}

/**
 * Twice as long after each failure, up to a limit that is the longest that the house finds out late that the database is back:
 * a new line wakes everybody. The upper half by chance: processes that lost the database together do not return together.
 */
export function reconnectPauseMs(failures: number, chance: number, longestMs = LONGEST_RETRY_MS): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), longestMs) * (0.5 + chance / 2);
}

async function isShared(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== backendOf(client);
}

function backendOf(client: Client): number | null | undefined {
  return (client as unknown as { processID?: number | null }).processID;
}

/** Takes the socket away: a polite farewell would wait for an answer that a dead line never gives. */
function cut(client: Client): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } };
  connection?.stream?.destroy();
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    timer.unref();
  });
  // The loser of the race may fail later; nobody waits for it any more.
  answer.catch(() => undefined);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
