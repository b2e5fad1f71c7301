// Outbound adapter, fills AssistantDriver: a graph on a LangGraph-compatible server. A run of ours is a run of its there, found
// again by the metadata it carries; its end is fetched (join, then a look), never waited for to be told. Deadline, cancellation
// and end are kept in OutsideRuns, so that they hold whatever that server forgets. What it is asked is in langgraph/.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock';
import type { OutboundHttp } from '../../platform/http/outbound-http';
import { settingsOf, type Assistant } from '../domain/assistant';
import { LaunchFailedError, RemoteThreadBusyError } from '../domain/errors';
import { bareEnd, type RunEnd } from '../domain/run-end';
import type { AssistantDriver, Finding, Launch, Started } from '../ports/assistant-driver';
import type { OutsideRuns } from '../ports/outside-runs';
import { createRun } from './langgraph/create-run';
import { endOfRun, isUnderWay } from './langgraph/graph-answer';
import { GraphServer, type RemoteRun } from './langgraph/graph-server';
import { remoteThread } from './langgraph/remote-thread';
import { OutsideDriver } from './outside-driver';

export interface LangGraphDriverOptions {
  readonly http: Pick<OutboundHttp, 'send' | 'refusal'>;
  readonly outside: OutsideRuns;
  readonly clock: Clock;
  /** The operator's environment, which holds the keys. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Before each further attempt at a server that has certainly not taken the run. */
  readonly retryAfterMs: readonly number[];
  /** Between two looks at a run. */
  readonly lookMs: number;
  /** So many looks in a row at a server that answers, and knows no such run, are its word that there is none. */
  readonly missedLooks: number;
}

export class LangGraphDriver extends OutsideDriver implements AssistantDriver {
  private readonly servers = new WeakMap<Assistant, GraphServer>();
  private readonly stopped = new AbortController();

  constructor(private readonly options: LangGraphDriverOptions) {
    super(options.outside);
  }

  async cancel(requestId: string, reason: string, launch?: Launch): Promise<void> {
    const { state } = await this.outside.state(requestId);
    await this.outside.cancel(requestId, reason);
    // Whoever follows it tells the server; when nobody does, that is for us. The run is over here, whatever comes of it.
    if (launch === undefined || state !== 'running' || this.flights.has(requestId)) return;
    await this.endThere(launch, null).catch(() => undefined);
  }

  stop(): Promise<void> {
    this.stopped.abort();
    return Promise.resolve();
  }

  async inspect(assistant: Assistant): Promise<Finding[]> {
    const { url, graph, apiKey } = settingsOf(assistant, 'langgraph');
    const refusal = this.options.http.refusal(url);
    if (refusal !== undefined) return [{ fine: false, what: refusal }];
    if (apiKey !== null && this.key(apiKey) === undefined) return [{ fine: false, what: missing(apiKey) }];
    try {
      const known = await this.serverOf(assistant).knowsGraph();
      return [
        {
          fine: known,
          what: known ? `${url} has "${graph}".` : `${url} has neither a graph nor an assistant "${graph}".`,
        },
      ];
    } catch (error) {
      return [{ fine: false, what: `${url} cannot be asked: ${(error as Error).message}` }];
    }
  }

  protected async handOver(launch: Launch): Promise<Started> {
    const { assistant, agentRunId, requestId, owner } = launch;
    const { outside } = this;
    const server = this.serverOf(assistant);
    const { timeoutSeconds } = assistant;
    const times = { leaseSeconds: null, claimTimeoutSeconds: timeoutSeconds, timeoutSeconds };
    const offer = { agentRunId, requestId, owner, assistantId: assistant.id, kind: 'handed-over', ...times } as const;
    const isNew = (await outside.offer(offer)) !== null;
    // Asked for before, by a process that has died since: its run is looked for.
    if (!isNew) return this.follow(launch);
    const created = await createRun(server, launch, this.options);
    switch (created.is) {
      case 'created':
        return this.follow(launch, created.run);
      case 'unknown':
        // It may work on it. Either the run is found, or the server will have said for long enough that there is none.
        return this.follow(launch);
      case 'busy':
        await outside.withdraw(agentRunId);
        throw new RemoteThreadBusyError(launch.threadId);
      case 'not-taken':
        if (created.slowDown) {
          const { retryAt } = created;
          await outside.fail(agentRunId, bareEnd('error', created.why, { reason: 'rate_limited', retryAt }));
          return super.follow(launch);
        }
        break;
      case 'refused':
    }
    await outside.withdraw(agentRunId);
    throw new LaunchFailedError(created.why);
  }

  protected override follow(launch: Launch, run: RemoteRun | null = null): Started {
    const started = super.follow(launch);
    const over = new AbortController();
    let endThere = true;
    const watching = this.watch(launch, run?.id ?? null, AbortSignal.any([over.signal, this.stopped.signal])).then(
      (came) => (endThere = !came),
    );
    void started.ended.then(async () => {
      over.abort();
      await watching;
      // Cancelled, or out of time: the server need not go on.
      if (endThere) await this.endThere(launch, run?.id ?? null).catch(() => undefined);
    });
    return started;
  }

  private async endThere(launch: Launch, known: string | null): Promise<void> {
    const server = this.serverOf(launch.assistant);
    const thread = remoteThread(launch);
    const id = known ?? (await server.find(thread, launch.requestId))?.id;
    if (id !== undefined) await server.cancel(thread, id);
  }

  /** True: the server has told the end, and it is kept. False: `over` came first. */
  private async watch(launch: Launch, known: string | null, over: AbortSignal): Promise<boolean> {
    const server = this.serverOf(launch.assistant);
    const thread = remoteThread(launch);
    let id = known;
    for (let missed = 0; !over.aborted;) {
      try {
        if (id !== null) await server.join(thread, id, over).catch(() => undefined);
        if (over.aborted) break;
        const run = id === null ? await server.find(thread, launch.requestId) : await server.run(thread, id);
        id = run?.id ?? id;
        missed = run === null ? missed + 1 : 0;
        const end = run === null ? this.lost(launch, missed) : await this.endIn(server, thread, run);
        if (end !== null) {
          await this.outside.fail(launch.agentRunId, end);
          return true;
        }
      } catch {
        // The server, or our database, is away: its time runs on, and that is all that is known.
      }
      await pause(this.options.lookMs, undefined, { signal: over, ref: false }).catch(() => undefined);
    }
    return false;
  }

  private async endIn(server: GraphServer, thread: string, run: RemoteRun): Promise<RunEnd | null> {
    if (isUnderWay(run.status)) return null;
    return endOfRun(run.status, thread, await server.state(thread, run.id));
  }

  private lost({ assistant }: Launch, missed: number): RunEnd | null {
    if (missed < this.options.missedLooks) return null;
    const { url } = settingsOf(assistant, 'langgraph');
    return bareEnd('error', `${url} knows no such run (any more): it has lost it, or never taken it.`);
  }

  private serverOf(assistant: Assistant): GraphServer {
    const known = this.servers.get(assistant);
    if (known !== undefined) return known;
    const settings = settingsOf(assistant, 'langgraph');
    const apiKey = settings.apiKey === null ? null : this.key(settings.apiKey);
    if (apiKey === undefined) throw new LaunchFailedError(missing(String(settings.apiKey)));
    const server = new GraphServer({ http: this.options.http, settings, apiKey });
    this.servers.set(assistant, server);
    return server;
  }

  private key(name: string): string | undefined {
    return this.options.environment[name] || undefined;
  }
}

function missing(name: string): string {
  return `${name}, which is to hold the key of the server, is not set where Horarium was started.`;
}
