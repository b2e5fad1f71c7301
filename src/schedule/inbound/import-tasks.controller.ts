// Inbound. Import of another scheduler's file over HTTP.
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { ImportTasks } from '../usecases/import-tasks';
import { ImportTasksRequest } from './import-tasks.request';
import { ImportTasksResponse } from './import-tasks.response';

@ApiTags('Scheduled tasks')
@Controller('scheduled-tasks')
export class ImportTasksController {
  constructor(
    private readonly importTasks: ImportTasks,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('import')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Import a .scheduled_tasks.json',
    description:
      'Entry by entry: a bad one is reported and left out, the rest is taken. An expression that means other days here ' +
      '(a step in the day of the month) is taken as it stands, and the answer says how to keep its meaning.',
  })
  @ApiOkResponse({ type: ImportTasksResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  async import(@CurrentActor() actor: UserActor, @Body() request: ImportTasksRequest): Promise<ImportTasksResponse> {
    return new ImportTasksResponse(await this.importTasks.run(actor, request.toInput(), this.clock.now()));
  }
}
