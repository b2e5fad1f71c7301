// Inbound. Which assistants there are, over HTTP.
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { ListAssistants } from '../usecases/list-assistants';
import { AssistantResponse } from './assistant.response';

@ApiTags('Assistants')
@Controller('assistants')
export class AssistantsController {
  constructor(private readonly listAssistants: ListAssistants) {}

  @Get()
  @ApiOperation({ summary: 'The assistants', description: 'Configured by the operator; a task names one by its id.' })
  @ApiOkResponse({ type: [AssistantResponse] })
  @ApiProblems(401, 503)
  list(): AssistantResponse[] {
    return this.listAssistants.run().map((assistant) => new AssistantResponse(assistant));
  }
}
