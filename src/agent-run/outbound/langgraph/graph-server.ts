// Outbound, langgraph driver. One LangGraph server, asked through its client library, whose calls go out by the guarded way of
// this house. Nothing here knows what a run means to us; it only tells apart what the server's answers mean.
import type { Client } from '@langchain/langgraph-sdk/client' with { 'resolution-mode': 'import' };
import { DestinationRefusedError, NoAnswerError } from '../../../platform/http/errors';
import type { OutboundHttp } from '../../../platform/http/outbound-http';
import type { LangGraphSettings } from '../../domain/driver-settings/langgraph-settings';
import { retryAfter } from '../http/answer';
import type { GraphState } from './graph-answer';

export interface RemoteRun {
  readonly id: string;
  readonly status: string;
  readonly createdAt: string;
  /** Which launch of this house it belongs to; null: none. */
  readonly requestId: string | null;
}

export interface RunOrder {
  readonly thread: string;
  readonly prompt: string;
  readonly requestId: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly userId: string;
}

export type Creation =
  | { readonly is: 'created'; readonly run: RemoteRun }
  | { readonly is: 'busy' }
  /** Certainly nothing runs. */
  | { readonly is: 'refused'; readonly why: string }
  /** Certainly nothing runs, and another attempt may go better. */
  | { readonly is: 'not-taken'; readonly why: string; readonly slowDown: boolean; readonly retryAt: Date | null }
  | { readonly is: 'unknown'; readonly why: string };

/** An answer that is no success. */
class ServerSaysNo extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
    readonly after: string | null,
  ) {
    super(`it answered ${status}${text === '' ? '.' : `: ${text.split('\n')[0]?.slice(0, 300)}`}`);
  }
}

/** The documented status, and what servers answer in fact: to this sentence a missing thread may lead, too. */
const BUSY_SENTENCE = /already running a task/i;
const PAGE = 100;
const MOST_PAGES = 50;
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
/** One answer to a join is waited for so long; whatever lies between may cut off one that is silent for longer. */
const JOIN_MS = 25_000;
const REQUEST_ID = 'horarium_request_id';

export interface GraphServerOptions {
  readonly http: Pick<OutboundHttp, 'send'>;
  readonly settings: LangGraphSettings;
  readonly apiKey: string | null;
}

export class GraphServer {
  private calls: Promise<Client> | undefined;
  private joins: Promise<Client> | undefined;

  constructor(private readonly options: GraphServerOptions) {}

  async create(order: RunOrder, now: Date): Promise<Creation> {
    const { url, graph, recursionLimit } = this.options.settings;
    const { thread, prompt, requestId, metadata, userId } = order;
    try {
      const run = await this.ask((client) =>
        client.runs.create(thread, graph, {
          input: { messages: [{ role: 'user', content: prompt }] },
          metadata: { ...metadata, [REQUEST_ID]: requestId },
          context: { non_interactive: true, user_id: userId },
          ...(recursionLimit === null ? {} : { config: { recursion_limit: recursionLimit } }),
          multitaskStrategy: 'reject',
          ifNotExists: 'create',
          onDisconnect: 'continue',
        }),
      );
      return { is: 'created', run: toRun(run) };
    } catch (error) {
      return meaningOf(error, url, now);
    }
  }

  /** For servers that do not make a thread with its first run. True: there was none. */
  async makeThread(thread: string): Promise<boolean> {
    const there = await this.unlessMissing((client) => client.threads.get(thread));
    if (there !== null) return false;
    await this.ask((client) => client.threads.create({ threadId: thread, ifExists: 'do_nothing' }));
    return true;
  }

  /** Null: the server knows no such run (any more). */
  async run(thread: string, id: string): Promise<RemoteRun | null> {
    const run = await this.unlessMissing((client) => client.runs.get(thread, id));
    return run === null ? null : toRun(run);
  }

  /** The newest run of a launch. */
  async find(thread: string, requestId: string): Promise<RemoteRun | null> {
    const runs = await this.listed(thread);
    return runs.filter((run) => run.requestId === requestId).reduce<RemoteRun | null>(newer, null);
  }

  /** Those that are pending or running on a thread. */
  async underWay(thread: string): Promise<RemoteRun[]> {
    const both = await Promise.all([this.listed(thread, 'pending'), this.listed(thread, 'running')]);
    return both.flat();
  }

  /** Resolves when the run is over, or soon: it is only a way not to ask too often. */
  async join(thread: string, id: string, signal: AbortSignal): Promise<void> {
    this.joins ??= this.client(JOIN_MS);
    await (await this.joins).runs.join(thread, id, { signal });
  }

  /** Null: not this run's. */
  async state(thread: string, id: string): Promise<GraphState | null> {
    const state = await this.unlessMissing((client) => client.threads.getState(thread));
    if (state === null) return null;
    const { run_id: of } = (state.metadata ?? {}) as { run_id?: unknown };
    return of === undefined || of === id ? { values: state.values, next: state.next, tasks: state.tasks } : null;
  }

  async cancel(thread: string, id: string): Promise<void> {
    await this.unlessMissing((client) => client.runs.cancel(thread, id));
  }

  /** Also of a run that nobody executes any more, which no cancellation reaches. */
  async remove(thread: string, id: string): Promise<void> {
    await this.unlessMissing((client) => client.runs.delete(thread, id));
  }

  async knowsGraph(): Promise<boolean> {
    const { graph } = this.options.settings;
    const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(graph);
    if (isId) return (await this.unlessMissing((client) => client.assistants.get(graph))) !== null;
    return (await this.ask((client) => client.assistants.search({ graphId: graph, limit: 1 }))).length > 0;
  }

  private async listed(thread: string, status?: 'pending' | 'running'): Promise<RemoteRun[]> {
    const found: RemoteRun[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const asked = { limit: PAGE, offset: page * PAGE, ...(status === undefined ? {} : { status }) };
      const runs = (await this.unlessMissing((client) => client.runs.list(thread, asked))) ?? [];
      found.push(...runs.map(toRun));
      if (runs.length < PAGE) break;
    }
    return found;
  }

  private async unlessMissing<T>(call: (client: Client) => Promise<T>): Promise<T | null> {
    try {
      return await this.ask(call);
    } catch (error) {
      if (error instanceof ServerSaysNo && error.status === 404) return null;
      throw error;
    }
  }

  /** @throws ServerSaysNo, NoAnswerError, DestinationRefusedError, or whatever the library makes of an answer that is none */
  private async ask<T>(call: (client: Client) => Promise<T>): Promise<T> {
    this.calls ??= this.client(this.options.settings.answerSeconds * 1_000);
    const client = await this.calls;
    try {
      return await call(client);
    } catch (error) {
      throw understood(error);
    }
  }

  private async client(timeoutMs: number): Promise<Client> {
    // Only here: the library costs a third of a second to load.
    const { Client } = await import('@langchain/langgraph-sdk/client');
    const { settings, apiKey, http } = this.options;
    return new Client({
      apiUrl: settings.url,
      apiKey,
      // Whether a call may be repeated is for us to say.
      callerOptions: { maxRetries: 0, maxConcurrency: Infinity, fetch: guarded(http, timeoutMs) },
    });
  }
}

/** What the library takes for `fetch`. It reads words out of messages, so ours goes behind a neutral one. */
function guarded(http: Pick<OutboundHttp, 'send'>, timeoutMs: number): typeof fetch {
  return async (input, init) => {
    const { method, headers, body, signal } = init ?? {};
    const answer = await http
      .send({
        url: input instanceof Request ? input.url : String(input),
        method: (method ?? 'GET') as 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' ? { body } : {}),
        ...(signal == null ? {} : { signal }),
        timeoutMs,
        maxAnswerBytes: MOST_ANSWER_BYTES,
      })
      .catch((cause: unknown) => {
        throw new Error('no answer that can be used', { cause });
      });
    const told = Object.entries(answer.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const bare = [204, 205, 304].includes(answer.status);
    return new Response(bare ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: told as [string, string][],
    });
  };
}

function understood(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { cause } = error;
  if (cause instanceof NoAnswerError || cause instanceof DestinationRefusedError) return cause;
  const { status, text, response } = error as { status?: unknown; text?: unknown; response?: Response };
  if (typeof status !== 'number') return error;
  return new ServerSaysNo(status, typeof text === 'string' ? text : '', response?.headers.get('retry-after') ?? null);
}

function meaningOf(error: unknown, url: string, now: Date): Creation {
  const why = `${url} did not take the run: ${error instanceof Error ? error.message : String(error)}`;
  if (error instanceof DestinationRefusedError) return { is: 'refused', why: error.message };
  if (error instanceof NoAnswerError) {
    return error.sent ? { is: 'unknown', why } : { is: 'not-taken', why, slowDown: false, retryAt: null };
  }
  if (!(error instanceof ServerSaysNo)) return { is: 'unknown', why };
  const { status, text, after } = error;
  if (status === 409 || (status === 422 && BUSY_SENTENCE.test(text))) return { is: 'busy' };
  if (status === 429) return { is: 'not-taken', why, slowDown: true, retryAt: retryAfter(after ?? undefined, now) };
  if ([408, 425, 503].includes(status)) return { is: 'not-taken', why, slowDown: false, retryAt: null };
  return status >= 500 ? { is: 'unknown', why } : { is: 'refused', why };
}

function toRun(run: { run_id: string; status: string; created_at?: string; metadata?: unknown }): RemoteRun {
  const requestId = (run.metadata as Record<string, unknown> | null | undefined)?.[REQUEST_ID];
  return {
    id: run.run_id,
    status: run.status,
    createdAt: run.created_at ?? '',
    requestId: typeof requestId === 'string' ? requestId : null,
  };
}

function newer(one: RemoteRun | null, other: RemoteRun): RemoteRun {
  return one === null || other.createdAt > one.createdAt ? other : one;
}
