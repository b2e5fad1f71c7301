// Scheduler. Reads the timetable for the command line: from the running server, which alone knows the last and the next
// instants; without one, from the program, where only the instants of cron rows can be computed.
import { CronJob } from 'cron';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../kernel/clock';
import { DomainError } from '../kernel/domain-error';
import { wireTimeOrNull } from '../platform/protocol/wire-time';
import type { TimetableEntry } from './timetable';
import type { TimetableResponse, TimetableRowResponse } from './timetable.response';
import { rhythmInWords } from './timetable-row';

export interface LookupSettings {
  readonly host: string;
  readonly port: number;
  /** The operator's token file in the data folder. */
  readonly tokenFile: string;
}

export interface TimetableLookup {
  readonly server: 'running' | 'not running';
  readonly instance_id: string | null;
  readonly rows: readonly TimetableRowResponse[];
}

/** There is a server, and it does not show its timetable. */
export class TimetableClosedError extends DomainError {
  readonly code = 'scheduler.timetable-closed';
  constructor(
    readonly kind: 'unauthenticated' | 'downstream',
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const ANSWER_WITHIN_MS = 5_000;

export class TimetableReader {
  constructor(
    private readonly settings: LookupSettings,
    private readonly entries: readonly TimetableEntry[],
    private readonly clock: Clock,
  ) {}

  /** @throws TimetableClosedError */
  async read(): Promise<TimetableLookup> {
    const answer = await askServer(this.settings);
    if (answer !== undefined) return { server: 'running', ...answer };
    const now = this.clock.now();
    return { server: 'not running', instance_id: null, rows: this.entries.map((entry) => written(entry, now)) };
  }
}

/** Undefined when nobody listens there. */
async function askServer({ host, port, tokenFile }: LookupSettings): Promise<TimetableResponse | undefined> {
  const url = `http://${addressOf(host)}:${port}/api/timetable`;
  const token = await readFile(tokenFile, 'utf8').catch((error: NodeJS.ErrnoException) => error);
  const headers = typeof token === 'string' ? { authorization: `Bearer ${token.trim()}` } : undefined;
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') return undefined;
    throw new TimetableClosedError('downstream', `${url} does not answer: ${reasonOf(error)}`, error);
  }
  if (response.status === 401 || response.status === 403) {
    const why =
      typeof token === 'string' ? `${tokenFile} is not an operator's token of it` : `${tokenFile}: ${reasonOf(token)}`;
    throw new TimetableClosedError('unauthenticated', `The server at ${url} does not let us in; ${why}`);
  }
  const body = response.ok
    ? ((await response.json().catch(() => undefined)) as TimetableResponse | undefined)
    : undefined;
  if (!Array.isArray(body?.rows)) {
    throw new TimetableClosedError('downstream', `${url} answers ${response.status}: is that a Horarium server?`);
  }
  return body;
}

function written({ name, rhythm, oncePerCluster }: TimetableEntry, now: Date): TimetableRowResponse {
  return {
    name,
    rhythm: rhythmInWords(rhythm),
    once_per_cluster: oncePerCluster === true,
    running: false,
    last_tick_at: null,
    last_success_at: null,
    last_duration_ms: null,
    next_tick_at: wireTimeOrNull('cron' in rhythm ? cronInstant(rhythm.cron, now) : null),
    ticks: 0,
    failures: 0,
    failures_in_a_row: 0,
    last_error: null,
  };
}

function cronInstant(cron: string, after: Date): Date {
  const job = CronJob.from({ cronTime: cron, timeZone: 'UTC', onTick: () => undefined });
  return job.cronTime.getNextDateFrom(after, 'UTC').toJSDate();
}

/** Where a server that listens on `host` is found from this machine. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function codeOf(error: unknown): unknown {
  const { cause } = error as { cause?: { code?: unknown; errors?: { code?: unknown }[] } };
  return cause?.code ?? cause?.errors?.[0]?.code;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as { message: string; cause?: { message?: string } };
  return cause?.message || message;
}
