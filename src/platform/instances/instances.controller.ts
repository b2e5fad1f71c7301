// Platform, instances. The processes for operators.
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../auth';
import { ApiProblems } from '../protocol/api-problems';
import { InstanceResponse, toInstanceResponse } from './instance.response';
import { Instances } from './instances';

@ApiTags('Operations')
@Controller('instances')
export class InstancesController {
  constructor(private readonly instances: Instances) {}

  @Get()
  @RequireRole('operator')
  @ApiOperation({
    summary: 'The processes that work on this database',
    description: 'For operators. Newest first; the dead are kept for 30 days.',
  })
  @ApiOkResponse({ type: [InstanceResponse] })
  @ApiProblems(401, 403, 503)
  async list(): Promise<InstanceResponse[]> {
    return (await this.instances.list()).map(toInstanceResponse);
  }
}
