// Inbound. Sessions over HTTP: what tasks with `durable: false` live and die with.
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { AgentSessions } from '../usecases/agent-sessions';
import { AgentSessionResponse, ClosedSessionResponse } from './agent-session.response';
import { OpenSessionRequest } from './open-session.request';
import { SESSION_NOT_FOUND, THREAD_NOT_FOUND } from './problems';

@ApiTags('Agent sessions')
@Controller('agent-sessions')
export class AgentSessionsController {
  constructor(
    private readonly sessions: AgentSessions,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Open a session',
    description:
      'Tasks made with its id end with it: when it is closed, when nobody has renewed it in time, or when the Horarium ' +
      'process that opened it stops.',
  })
  @ApiCreatedResponse({ type: AgentSessionResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, THREAD_NOT_FOUND)
  async open(@CurrentActor() actor: UserActor, @Body() request: OpenSessionRequest): Promise<AgentSessionResponse> {
    return new AgentSessionResponse(await this.sessions.open(actor, request.toInput(), this.clock.now()));
  }

  @Get()
  @ApiOperation({ summary: 'Your open sessions', description: 'Newest first.' })
  @ApiOkResponse({ type: [AgentSessionResponse] })
  @ApiProblems(401, 503)
  async list(@CurrentActor() actor: UserActor): Promise<AgentSessionResponse[]> {
    const sessions = await this.sessions.list(actor, this.clock.now());
    return sessions.map((session) => new AgentSessionResponse(session));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One open session' })
  @ApiOkResponse({ type: AgentSessionResponse })
  @ApiProblems(401, 422, 503, SESSION_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<AgentSessionResponse> {
    return new AgentSessionResponse(await this.sessions.one(actor, id, this.clock.now()));
  }

  @Post(':id/renew')
  @HttpCode(200)
  @ApiOperation({ summary: 'Renew a session', description: 'Its time to live begins anew. Any process takes it.' })
  @ApiOkResponse({ type: AgentSessionResponse })
  @ApiProblems(401, 422, 503, SESSION_NOT_FOUND)
  async renew(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<AgentSessionResponse> {
    return new AgentSessionResponse(await this.sessions.renew(actor, id, this.clock.now()));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Close a session', description: 'Its tasks are gone at once; runs under way go on.' })
  @ApiOkResponse({ type: ClosedSessionResponse })
  @ApiProblems(401, 422, 503, SESSION_NOT_FOUND)
  async close(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ClosedSessionResponse> {
    await this.sessions.close(actor, id, this.clock.now());
    return { id, closed: true };
  }
}
