// Inbound. Agent runs over HTTP: what an agent was told and said, and the way to stop it.
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { CancelRun } from '../usecases/cancel-run';
import { FindRuns } from '../usecases/find-runs';
import { RequestRun } from '../usecases/request-run';
import { AgentRunDetailResponse, AgentRunResponse } from './agent-run.response';
import { ListAgentRunsQuery } from './list-agent-runs.request';
import { RequestRunRequest } from './request-run.request';
import { RUN_NOT_FOUND, THREAD_NOT_FOUND } from './problems';

@ApiTags('Agent runs')
@Controller('agent-runs')
export class AgentRunsController {
  constructor(
    private readonly findRuns: FindRuns,
    private readonly cancelRun: CancelRun,
    private readonly requestRun: RequestRun,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Ask an agent',
    description:
      'Answers as soon as the run is stored. On a busy thread it is refused, or waits (`queued`) until the thread is idle; ' +
      'what waits for one thread and assistant is delivered in one turn, in order.',
  })
  @ApiCreatedResponse({ type: AgentRunResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, THREAD_NOT_FOUND, {
    status: 409,
    code: 'agent-run.thread-busy',
    detail: 'Thread 019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b70 is busy with another run.',
  })
  async request(@CurrentActor() actor: UserActor, @Body() request: RequestRunRequest): Promise<AgentRunResponse> {
    return new AgentRunResponse(await this.requestRun.run(actor, request.toInput(), this.clock.now()));
  }

  @Get()
  @ApiOperation({ summary: 'The agent runs of a thread', description: 'Newest first, without what was said.' })
  @ApiOkResponse({ type: [AgentRunResponse] })
  @ApiProblems(401, 422, 503, THREAD_NOT_FOUND)
  async ofThread(@CurrentActor() actor: UserActor, @Query() query: ListAgentRunsQuery): Promise<AgentRunResponse[]> {
    const runs = await this.findRuns.ofThread(actor, query.thread_id, query.toPage());
    return runs.map((run) => new AgentRunResponse(run));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One agent run', description: 'With the prompt and what the agent said.' })
  @ApiOkResponse({ type: AgentRunDetailResponse })
  @ApiProblems(401, 422, 503, RUN_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<AgentRunDetailResponse> {
    return new AgentRunDetailResponse(await this.findRuns.byId(actor, id));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Cancel an agent run',
    description:
      'Waiting or at work, it ends as `interrupted`. An agent at work has ten seconds to end by itself; until it has, ' +
      'the run shows `cancel_requested_at`. Asking again is fine.',
  })
  @ApiOkResponse({ type: AgentRunResponse })
  @ApiProblems(401, 422, 503, RUN_NOT_FOUND, {
    status: 409,
    code: 'agent-run.run-ended',
    detail: 'Agent run 019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71 has already ended (success).',
  })
  async cancel(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<AgentRunResponse> {
    return new AgentRunResponse(await this.cancelRun.run(actor, id, this.clock.now()));
  }
}
