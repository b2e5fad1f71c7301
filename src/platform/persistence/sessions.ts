// Platform, persistence. The one way to the database: an actor, a transaction, and row-level security, together.
// There is no second handle within a feature's reach, so a statement outside a transaction cannot be written.
import { escapeLiteral, type ClientBase, type QueryConfig } from 'pg';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { DataSource, QueryRunner } from 'typeorm';
import type { Actor, SystemActor } from '../../kernel/actor';
import { HouseLine } from './house-line';
import { LineWatch, type Loan } from './line-watch';
import { NOT_COMPILED } from './planner-settings';
import { Rush } from './rush';
import { databaseError, isReadOnly, isUnanswered } from './sql-errors';

/** The role that statements run as: neither superuser nor owner, so that no policy can be passed by. */
export const APP_ROLE = 'horarium_app';

/** An open transaction. */
export interface Tx {
  /** Runs one parameterised statement and returns its rows (also of insert, update and delete … returning). */
  query<R = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<R[]>;
  /** Wakes the listeners of this topic, here and in other processes, as soon as this transaction is committed. */
  wakeAfterCommit(topic: string): void;
}

/** Where wakes go. Not NOTIFY within the transaction: committing with one takes a lock that all such commits share. */
export interface Wakes {
  notify(topic: string): Promise<void>;
}

export interface SessionOptions {
  /** Server settings for this transaction only: `{ lock_timeout: '2s' }`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** `urgent`: a run waits for it. `patient`: it waits while urgent work is going on, for three seconds at most. */
  readonly precedence?: 'urgent' | 'patient';
  /** A statement that has not been answered by then never will be: the line is given up. */
  readonly answerWithinMs?: number;
}

/** Longer than the server lets any statement take (data-source-options.ts): only a line on which nothing passes is as slow. */
const ANSWER_WITHIN_MS = 35_000;
/** For what is small and must go on soon: claims, records, ends. */
export const IN_TIME_MS = 10_000;
/** While the process stops: a mute line must not cost more than a part of the time that there is. */
const IN_A_HURRY_MS = 4_000;

/** Opens the connections: at the first session, and not before. */
export type Connect = () => Promise<DataSource>;

export class Sessions {
  private connecting: Promise<DataSource> | undefined;
  private readonly rush = new Rush();
  private line: HouseLine | undefined;
  private readonly sessionKey = String(randomBytes(8).readBigInt64BE());
  private readonly lines = new LineWatch();
  private mostMs = Infinity;

  /** An open source, or how to open one when it is first needed. */
  constructor(
    private readonly source: DataSource | Connect,
    private readonly wakes?: Wakes,
  ) {}

  /**
   * Opens a transaction as `actor`, runs `work`, commits; rolls back when it throws.
   * A lost or unreachable database is thrown as DatabaseUnavailableError.
   */
  async run<T>(actor: Actor, work: (tx: Tx) => Promise<T>, options: SessionOptions = {}): Promise<T> {
    let runner: QueryRunner | undefined;
    let client: ClientBase | undefined;
    let loan: Loan | undefined;
    let how: 'heard' | 'unanswered' | 'failed' = 'failed';
    if (options.precedence === 'patient') await this.rush.over();
    const done = options.precedence === 'urgent' ? this.rush.begin() : undefined;
    const withinMs = Math.min(options.answerWithinMs ?? ANSWER_WITHIN_MS, this.mostMs);
    try {
      // The runner lends its connection and watches over it. Statements go past it: what it does about each of them is
      // for entity managers, and costs as much as a small statement.
      ({ runner, client } = await this.lend());
      loan = this.lines.lend(client);
      await client.query(
        timed(opening({ role: APP_ROLE, ...NOT_COMPILED, ...identity(actor), ...options.settings }), withinMs),
      );
      const topics = new Set<string>();
      const result = await work(transaction(client, topics, withinMs));
      await client.query(timed('commit', withinMs));
      how = 'heard';
      for (const topic of topics) void this.wakes?.notify(topic);
      return result;
    } catch (error) {
      // The first error is the one that matters; a rollback on a dead connection fails too, and on a mute one it would wait.
      // One that may only read is a former primary's: a new one leads to where the database is by now.
      if (isUnanswered(error)) how = 'unanswered';
      if (client !== undefined && (isUnanswered(error) || isReadOnly(error))) await cut(client);
      else await client?.query(timed('rollback', withinMs)).catch(() => undefined);
      throw databaseError(error);
    } finally {
      if (loan !== undefined) this.lines.giveBack(loan, how);
      await runner?.release().catch(() => undefined);
      done?.();
    }
  }

  /**
   * One statement in the house's own name, and a transaction by itself. For what is asked every few seconds, and mostly
   * finds nothing: it has two seconds, and walks an index.
   */
  async ask<R = Record<string, unknown>>(
    actor: SystemActor,
    text: string,
    params: readonly unknown[] = [],
    options: SessionOptions = {},
  ): Promise<R[]> {
    let rows: unknown[] | undefined;
    if (options.precedence === 'patient') await this.rush.over();
    try {
      rows = await (await this.houseLine()).ask(text, params);
    } catch (error) {
      throw databaseError(error);
    }
    return (rows as R[] | undefined) ?? this.run(actor, (tx) => tx.query<R>(text, params), options);
  }

  /**
   * The key of the advisory lock that this process's own session holds, for as long as there is one: others see by it that
   * the process has gone. Null where sessions are not its own (a pooler).
   */
  async markSession(): Promise<string | null> {
    try {
      return (await (await this.houseLine()).open()) ? this.sessionKey : null;
    } catch (error) {
      throw databaseError(error);
    }
  }

  /** The process stops: what is not answered soon is not waited for, what has been asked before included. */
  hurry(withinMs = IN_A_HURRY_MS): void {
    if (this.isInAHurry()) return;
    this.mostMs = withinMs;
    const stillLent = this.lines.lentNow();
    const late = setTimeout(() => stillLent().forEach((client) => void cut(client)), withinMs);
    late.unref();
  }

  /** Nobody is to wait for a database that is away any more. */
  isInAHurry(): boolean {
    return this.mostMs !== Infinity;
  }

  /** Ends what `ask` has opened. */
  async hangUp(): Promise<void> {
    await this.line?.close();
    this.line = undefined;
  }

  /** For whoever opened it lazily: closes what was opened. */
  async close(): Promise<void> {
    await (await this.connecting)?.destroy();
  }

  private async lend(): Promise<{ runner: QueryRunner; client: ClientBase }> {
    const source = await this.open();
    for (;;) {
      const runner = source.createQueryRunner();
      const client = (await runner.connect()) as ClientBase;
      if (!this.lines.isDoubtful(client)) return { runner, client };
      await cut(client);
      await runner.release().catch(() => undefined);
    }
  }

  private async houseLine(): Promise<HouseLine> {
    const { url } = (await this.open()).options as { url: string };
    this.line ??= new HouseLine({ url, role: APP_ROLE, sessionKey: this.sessionKey });
    return this.line;
  }

  private open(): DataSource | Promise<DataSource> {
    if (typeof this.source !== 'function') return this.source;
    this.connecting ??= this.source();
    return this.connecting;
  }
}

/**
 * Begins, and says who acts, in one round trip. Everything is local to this transaction: nothing is left on the
 * connection, and a pooler in between that hands the connection to somebody else after each transaction does no harm.
 */
function opening(settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(
    ([name, value]) => `set_config(${escapeLiteral(name)}, ${escapeLiteral(value)}, true)`,
  );
  return `begin; select ${set.join(', ')}`;
}

/** The driver takes a limit with each statement; its types do not know. */
function timed(text: string, query_timeout: number, params: readonly unknown[] = []): QueryConfig {
  const config: QueryConfig & { query_timeout: number } = { text, query_timeout };
  // Without parameters the text may hold several statements.
  return params.length === 0 ? config : { ...config, values: [...params] };
}

/** Resolves when the driver knows: the pool then takes another one. */
function cut(client: ClientBase): Promise<void> {
  const { connection } = client as unknown as { connection?: { stream?: Socket } };
  const { stream } = connection ?? {};
  return new Promise((resolve) => {
    if (stream === undefined || stream.destroyed) return resolve();
    // Its own listeners hear of it first.
    stream.once('close', () => setImmediate(resolve));
    stream.destroy();
  });
}

function transaction(client: ClientBase, topics: Set<string>, withinMs: number): Tx {
  return {
    wakeAfterCommit: (topic) => void topics.add(topic),
    async query<R>(text: string, params: readonly unknown[] = []): Promise<R[]> {
      return (await client.query(timed(text, withinMs, params))).rows as R[];
    },
  };
}

function identity(actor: Actor): Record<string, string> {
  return actor.type === 'system'
    ? { 'app.tenant_id': '', 'app.user_id': '', 'app.is_super_admin': 't' }
    : { 'app.tenant_id': String(actor.tenantId), 'app.user_id': actor.userId, 'app.is_super_admin': 'f' };
}
