// Scheduler. Reads the timetable for the command line: from the running server, which alone knows the last and the next
// instants; without one, from the program, where only the instants of cron rows can be computed.
import { CronJob } from 'cron';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
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
  let answer: Answer;
  try {
    answer = await get(url, headers);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return undefined;
    throw new TimetableClosedError('downstream', `${url} does not answer: ${reasonOf(error)}`, error);
  }
  if (answer.status === 401 || answer.status === 403) {
    const why =
      typeof token === 'string' ? `${tokenFile} is not an operator's token of it` : `${tokenFile}: ${reasonOf(token)}`;
    throw new TimetableClosedError('unauthenticated', `The server at ${url} does not let us in; ${why}`);
  }
  const body = answer.status === 200 ? parsed(answer.text) : undefined;
  if (!Array.isArray(body?.rows)) {
    throw new TimetableClosedError('downstream', `${url} answers ${answer.status}: is that a Horarium server?`);
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

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Not fetch: that refuses some ports (6000, 6666) on which a server may well listen. */
function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const asked = request(url, { headers, signal }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}

function parsed(text: string): TimetableResponse | undefined {
  try {
    return JSON.parse(text) as TimetableResponse;
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
