// Inbound. What a schedule means, before it is submitted.
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { PreviewSchedule } from '../usecases/preview-schedule';
import { CronPreviewBody } from './body-examples';
import { CronPreviewRequest } from './cron-preview.request';
import { CronPreviewResponse } from './cron-preview.response';

@ApiTags('Scheduled tasks')
@Controller('cron/preview')
export class CronPreviewController {
  constructor(
    private readonly previewSchedule: PreviewSchedule,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @HttpCode(200)
  @CronPreviewBody()
  @ApiOperation({
    summary: 'Preview a schedule',
    description: 'The next runs, in words too, with what may surprise: clock changes, and day-of-month OR weekday.',
  })
  @ApiOkResponse({ type: CronPreviewResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  preview(@Body() request: CronPreviewRequest): CronPreviewResponse {
    return new CronPreviewResponse(this.previewSchedule.run(request.toInput(), this.clock.now()));
  }
}
