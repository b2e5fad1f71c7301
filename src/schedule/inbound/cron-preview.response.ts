import { ApiProperty } from '@nestjs/swagger';
import { toString as inWords } from 'cronstrue';
import { wireTime } from '../../platform/protocol/wire-time';
import type { Preview } from '../usecases/preview-schedule';

class PreviewedRun {
  @ApiProperty({ example: '2026-03-08T07:30:00+00:00' })
  readonly at!: string;

  @ApiProperty({ description: 'The wall clock in the zone at that instant.', example: '2026-03-08T03:30:00-04:00' })
  readonly local!: string;

  @ApiProperty({
    required: false,
    enum: ['moved', 'repeated'],
    description: 'moved: the clock skips the listed time; repeated: it shows it twice, and this is the first.',
  })
  readonly clock_change?: string;
}

export class CronPreviewResponse {
  @ApiProperty({ type: [PreviewedRun] })
  readonly runs: PreviewedRun[];

  @ApiProperty({ example: 'At 02:30 (America/New_York)' })
  readonly description: string;

  @ApiProperty({ type: [String] })
  readonly warnings: string[];

  constructor({ spec, runs, warnings }: Preview) {
    this.runs = runs.map(({ at, local, clockChange }) => ({
      at: wireTime(at),
      local,
      ...(clockChange === undefined ? {} : { clock_change: clockChange }),
    }));
    const words = spec.type === 'cron' ? inWords(spec.cron.text, { use24HourTimeFormat: true }) : 'Once';
    this.description = `${words} (${spec.zone.name})`;
    this.warnings = warnings.map(({ message }) => message);
  }
}
