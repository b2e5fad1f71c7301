// Scheduler. The timetable as operators read it, over HTTP and with `horarium timetable --json` alike.
import { ApiProperty } from '@nestjs/swagger';
import { wireTimeOrNull } from '../platform/protocol/wire-time';
import type { RowReading } from './row-keeper';
import { rhythmInWords } from './timetable-row';

const TIME = { type: String, format: 'date-time', nullable: true } as const;

export class TimetableRowResponse {
  @ApiProperty({ example: 'schedule-poller' })
  name!: string;

  @ApiProperty({ example: 'when due, at the latest every 5 s' })
  rhythm!: string;

  @ApiProperty({ description: 'Of all processes on one database only one ticks at a time.', example: false })
  once_per_cluster!: boolean;

  @ApiProperty({ description: 'A tick is under way.', example: false })
  running!: boolean;

  @ApiProperty({ ...TIME, description: 'When the last tick began.', example: '2026-03-01T08:00:00.004+00:00' })
  last_tick_at!: string | null;

  @ApiProperty({ ...TIME, description: 'When a tick last ended well.', example: '2026-03-01T08:00:00.006+00:00' })
  last_success_at!: string | null;

  @ApiProperty({ type: Number, nullable: true, example: 2.4 })
  last_duration_ms!: number | null;

  @ApiProperty({
    ...TIME,
    description: 'When the next tick begins, unless it is woken.',
    example: '2026-03-01T08:00:05+00:00',
  })
  next_tick_at!: string | null;

  @ApiProperty({ example: 17280, description: 'Since the start of the process.' })
  ticks!: number;

  @ApiProperty({ example: 0, description: 'How many of them failed.' })
  failures!: number;

  @ApiProperty({ example: 0, description: 'How many failed since one last ended well.' })
  failures_in_a_row!: number;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'What the last failed tick said.' })
  last_error!: string | null;
}

export class TimetableResponse {
  @ApiProperty({ description: 'The process that answers: each keeps its own timetable.' })
  instance_id!: string;

  @ApiProperty({ type: [TimetableRowResponse] })
  rows!: TimetableRowResponse[];
}

export function toRowResponse(reading: RowReading): TimetableRowResponse {
  const { row, lastDurationMs } = reading;
  return {
    name: row.name,
    rhythm: rhythmInWords(row.rhythm),
    once_per_cluster: row.oncePerCluster === true,
    running: reading.running,
    last_tick_at: wireTimeOrNull(reading.lastStartedAt),
    last_success_at: wireTimeOrNull(reading.lastSucceededAt),
    last_duration_ms: lastDurationMs === null ? null : Math.round(lastDurationMs * 10) / 10,
    next_tick_at: wireTimeOrNull(reading.nextAt),
    ticks: reading.ticks,
    failures: reading.failures,
    failures_in_a_row: reading.failuresInARow,
    last_error: reading.lastError,
  };
}
