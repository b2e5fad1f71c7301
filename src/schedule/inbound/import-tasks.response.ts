// Inbound. What became of an imported file, entry by entry.
import { ApiProperty } from '@nestjs/swagger';
import { wireTimeOrNull } from '../../platform/protocol/wire-time';
import type { ImportedEntry } from '../usecases/import-tasks';

export class ImportedEntryResponse {
  @ApiProperty({ type: 'integer', description: 'Its place in the file, from 0.' })
  readonly index: number;

  @ApiProperty({ type: String, nullable: true, description: 'Its name in the file.', example: 'cron_123456' })
  readonly id: string | null;

  @ApiProperty({ type: String, nullable: true, example: '0 9 */2 * *' })
  readonly cron: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'null: it was left out, see `error`.' })
  readonly task_id: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'Europe/Berlin' })
  readonly timezone: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly next_run_at: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly error: string | null;

  @ApiProperty({ type: [String], description: 'What to know of it: other days than before, for example.' })
  readonly notes: readonly string[];

  constructor({ index, id, cron, task, error, notes }: ImportedEntry) {
    this.index = index;
    this.id = id;
    this.cron = cron;
    this.task_id = task?.id ?? null;
    this.timezone = task?.rule.spec.zone.name ?? null;
    this.next_run_at = wireTimeOrNull(task?.nextRunAt ?? null);
    this.error = error;
    this.notes = notes;
  }
}

export class ImportTasksResponse {
  @ApiProperty({ type: 'integer' })
  readonly imported: number;

  @ApiProperty({ type: 'integer' })
  readonly left_out: number;

  @ApiProperty({ type: [ImportedEntryResponse] })
  readonly entries: ImportedEntryResponse[];

  constructor(report: readonly ImportedEntry[]) {
    this.entries = report.map((entry) => new ImportedEntryResponse(entry));
    this.imported = report.filter(({ task }) => task !== null).length;
    this.left_out = report.length - this.imported;
  }
}
