// Platform, persistence. A connection of the house's own for the few things that it asks every few seconds, whether
// anything happens or not: there a statement is a transaction by itself, where a session (sessions.ts) takes four.
// Its role and settings are given when it connects, so it works only where a connection is ours alone.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { NOT_COMPILED, WALK_INDEXES } from './planner-settings';
import { sqlState } from './sql-errors';

export interface HouseLineSettings {
  readonly url: string;
  readonly role: string;
  /** An advisory lock that the line holds as long as it is open: how others see that this process's session is gone. */
  readonly sessionKey?: string;
}

/** What waits this long is worth nothing any more: it will be asked again. */
const ANSWER_WITHIN_MS = 2_000;
const LOCK_WITHIN_MS = 1_000;
const CONNECT_WITHIN_MS = 5_000;
const END_WITHIN_MS = 1_000;

// It reads one row, or the first of an index: whatever statistics say, by walking the index.
const PLANNER = { ...WALK_INDEXES, ...NOT_COMPILED };

/** A pooler in between does not take settings at the start of a connection. */
const PROTOCOL_VIOLATION = '08P01';

export class HouseLine {
  private line: Promise<Client | undefined> | undefined;
  /** The newest question: the driver wants one at a time, and its time begins when it is asked. */
  private asked: Promise<unknown> = Promise.resolve();

  constructor(private readonly settings: HouseLineSettings) {}

  /** Undefined: there can be no such line here. Any error that leaves the line in doubt makes the next question a new one. */
  ask(text: string, params: readonly unknown[]): Promise<unknown[] | undefined> {
    const answer = this.asked.then(() => this.askNow(text, params));
    this.asked = answer.catch(() => undefined);
    return answer;
  }

  /** Whether there can be such a line here: not behind a pooler. */
  async open(): Promise<boolean> {
    const line = (this.line ??= this.connect());
    try {
      return (await line) !== undefined;
    } catch (error) {
      await this.drop(line);
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.line !== undefined) await this.drop(this.line);
  }

  private async askNow(text: string, params: readonly unknown[]): Promise<unknown[] | undefined> {
    const line = (this.line ??= this.connect());
    try {
      const client = await line;
      return client === undefined ? undefined : (await client.query(text, [...params])).rows;
    } catch (error) {
      if (sqlState(error) === undefined || /^(08|57P|25)/.test(sqlState(error) ?? '')) await this.drop(line);
      throw error;
    }
  }

  private async connect(): Promise<Client | undefined> {
    const { url, role } = this.settings;
    const settings = { role, 'app.is_super_admin': 't', ...PLANNER };
    const client = new Client({
      connectionString: url,
      application_name: 'horarium house',
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS + LOCK_WITHIN_MS,
      statement_timeout: ANSWER_WITHIN_MS,
      lock_timeout: LOCK_WITHIN_MS,
      keepAlive: true,
    });
    // It is noticed at the next question.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ ours: boolean }>(
        "select current_user = $1 and current_setting('app.is_super_admin', true) = 't' as ours",
        [role],
      );
      // It keeps no process alive that has nothing else to do.
      (client as unknown as { unref(): void }).unref();
      if (rows[0]?.ours === true) {
        // Shared: a line of ours that was cut may still hold it for a while.
        if (this.settings.sessionKey !== undefined) {
          await client.query('select pg_try_advisory_lock_shared($1)', [this.settings.sessionKey]);
        }
        return client;
      }
    } catch (error) {
      await client.end().catch(() => undefined);
      if (sqlState(error) === PROTOCOL_VIOLATION) return undefined;
      throw error;
    }
    await client.end().catch(() => undefined);
    return undefined;
  }

  private async drop(line: Promise<Client | undefined>): Promise<void> {
    if (this.line === line) this.line = undefined;
    const client = await line.catch(() => undefined);
    if (client === undefined) return;
    // A line on which nothing passes would not say that it has ended.
    const waited = new AbortController();
    const late = pause(END_WITHIN_MS, undefined, { signal: waited.signal, ref: false });
    await Promise.race([client.end(), late]).catch(() => undefined);
    waited.abort();
  }
}
