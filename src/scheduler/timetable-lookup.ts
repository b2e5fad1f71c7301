// Scheduler. Reads the timetable for the command line: from the running server, which alone knows the last and the next
// instants; without one, from the program, where only the instants of cron rows can be computed.
import { CronJob } from 'cron';
import type { Clock } from '../kernel/clock';
import type { ApiClient } from '../platform/cli/api-client';
import { NoServerError } from '../platform/cli/api-errors';
import { wireTimeOrNull } from '../platform/protocol/wire-time';
import type { TimetableEntry } from './timetable';
import type { TimetableResponse, TimetableRowResponse } from './timetable.response';
import { rhythmInWords } from './timetable-row';

export interface TimetableLookup {
  readonly server: 'running' | 'not running';
  readonly instance_id: string | null;
  readonly rows: readonly TimetableRowResponse[];
}

export class TimetableReader {
  constructor(
    private readonly api: ApiClient,
    private readonly entries: readonly TimetableEntry[],
    private readonly clock: Clock,
  ) {}

  async read(): Promise<TimetableLookup> {
    try {
      return { server: 'running', ...(await this.api.get<TimetableResponse>('/api/timetable')) };
    } catch (error) {
      if (!(error instanceof NoServerError && error.nobodyListens)) throw error;
    }
    const now = this.clock.now();
    return { server: 'not running', instance_id: null, rows: this.entries.map((entry) => written(entry, now)) };
  }
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
