// Scheduler. The timetable for operators.
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../platform/auth';
import { InstanceId } from '../platform/instances/instance-id';
import { ApiProblems } from '../platform/protocol/api-problems';
import { Ticker } from './ticker';
import { TimetableResponse, toRowResponse } from './timetable.response';

@ApiTags('Operations')
@Controller('timetable')
export class TimetableController {
  constructor(
    private readonly ticker: Ticker,
    private readonly instance: InstanceId,
  ) {}

  @Get()
  @RequireRole('operator')
  @ApiOperation({ summary: 'What the house does by itself, and when', description: 'For operators.' })
  @ApiOkResponse({ type: TimetableResponse })
  @ApiProblems(401, 403, 503)
  read(): TimetableResponse {
    return { instance_id: this.instance.id, rows: this.ticker.rows().map(toRowResponse) };
  }
}
