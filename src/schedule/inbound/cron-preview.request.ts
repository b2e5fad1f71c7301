import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { DomainError } from '../../kernel/domain-error';
import { InvalidTaskError } from '../domain/errors';
import { parseMoment } from '../domain/moment';
import { timeZone } from '../domain/time-zone';
import type { PreviewInput } from '../usecases/preview-schedule';

export class CronPreviewRequest {
  @ApiPropertyOptional({ description: 'Five fields; exactly one of cron and run_at.', example: '30 2 * * *' })
  @IsOptional()
  @IsString()
  cron?: string;

  @ApiPropertyOptional({ description: 'ISO 8601; without an offset it is wall-clock time in `timezone`.' })
  @IsOptional()
  @IsString()
  run_at?: string;

  @ApiProperty({ example: 'America/New_York' })
  @IsString()
  timezone!: string;

  @ApiPropertyOptional({
    description: 'Runs strictly after this moment; absent: after now.',
    example: '2026-03-07T00:00:00Z',
  })
  @IsOptional()
  @IsString()
  after?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: 50, default: 5 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(50)
  count?: number;

  toInput(): PreviewInput {
    if ((this.cron === undefined) === (this.run_at === undefined)) {
      throw new InvalidTaskError('cron', 'Give exactly one of cron and run_at.');
    }
    return {
      cron: this.cron,
      runAt: this.run_at,
      timezone: this.timezone,
      count: this.count ?? 5,
      ...(this.after === undefined ? {} : { after: this.moment(this.after) }),
    };
  }

  private moment(text: string): Date {
    const zone = timeZone(this.timezone);
    try {
      return parseMoment(text, zone);
    } catch (error) {
      if (error instanceof DomainError) throw new InvalidTaskError('after', `after: ${error.message}`);
      throw error;
    }
  }
}
