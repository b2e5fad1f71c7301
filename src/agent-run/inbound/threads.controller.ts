// Inbound. Threads over HTTP: conversations that tasks and people share.
import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { CreateThread } from '../usecases/create-thread';
import { FindThread } from '../usecases/find-thread';
import { CreateThreadRequest } from './create-thread.request';
import { ListMessagesQuery } from './list-messages.request';
import { THREAD_NOT_FOUND } from './problems';
import { ThreadMessageResponse, ThreadResponse } from './thread.response';

@ApiTags('Threads')
@Controller('threads')
export class ThreadsController {
  constructor(
    private readonly createThread: CreateThread,
    private readonly findThread: FindThread,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Open a thread', description: 'For tasks with context_mode `reuse_thread`.' })
  @ApiCreatedResponse({ type: ThreadResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  async create(@CurrentActor() actor: UserActor, @Body() request: CreateThreadRequest): Promise<ThreadResponse> {
    return new ThreadResponse(await this.createThread.run(actor, request.toInput(), this.clock.now()));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One thread' })
  @ApiOkResponse({ type: ThreadResponse })
  @ApiProblems(401, 422, 503, THREAD_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ThreadResponse> {
    return new ThreadResponse(await this.findThread.orRefuse(actor, id));
  }

  @Get(':id/messages')
  @ApiOperation({
    summary: 'What was said on a thread',
    description:
      'Oldest first: each run’s prompt, then the answer. A page of long ones ends before `limit`, after 4 MiB: go on with ' +
      '`after` until one is empty.',
  })
  @ApiOkResponse({ type: [ThreadMessageResponse] })
  @ApiProblems(401, 422, 503, THREAD_NOT_FOUND)
  async messages(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Query() query: ListMessagesQuery,
  ): Promise<ThreadMessageResponse[]> {
    const messages = await this.findThread.messages(actor, id, query.toPage());
    return messages.map((message) => new ThreadMessageResponse(message));
  }
}
