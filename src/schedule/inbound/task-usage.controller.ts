// Inbound. What a task has used up, over HTTP.
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { ReadUsage } from '../usecases/read-usage';
import { TASK_NOT_FOUND } from './problems';
import { TaskUsageResponse } from './task-usage.response';

@ApiTags('Scheduled tasks')
@Controller('scheduled-tasks')
export class TaskUsageController {
  constructor(private readonly readUsage: ReadUsage) {}

  @Get(':id/usage')
  @ApiOperation({ summary: 'What a task has used up', description: 'Tokens, cost and time of all its runs together.' })
  @ApiOkResponse({ type: TaskUsageResponse })
  @ApiProblems(401, 422, 503, TASK_NOT_FOUND)
  async ofTask(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<TaskUsageResponse> {
    return new TaskUsageResponse(await this.readUsage.ofTask(actor, id));
  }
}
