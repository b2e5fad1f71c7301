// Inbound. A tenant's agents, for its managers.
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, RequireRole } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { ManageAgents } from '../usecases/manage-agents';
import { ListAgentsQuery } from './list-agents.request';
import { AGENT_NOT_FOUND } from './problems';
import { AgentCountsResponse, AgentResponse, DeletedAgentResponse, RevokedResponse } from './remote-agent.response';
import { UpdateAgentRequest } from './update-agent.request';

@ApiTags('Remote agents')
@RequireRole('manager', 'operator')
@Controller('1.0/remote-agents')
export class RemoteAgentsController {
  constructor(
    private readonly agents: ManageAgents,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Remote agents', description: 'Newest first.' })
  @ApiOkResponse({ type: [AgentResponse], ...PAGED })
  @ApiProblems(401, 403, 422, 503)
  async list(
    @CurrentActor() actor: UserActor,
    @Query() query: ListAgentsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AgentResponse[]> {
    const page = query.toPage();
    const agents = await this.agents.list(actor, query.toFilter(), page);
    tellNext(response, nextCursor(agents, page));
    return agents.map((agent) => new AgentResponse(agent));
  }

  @Get('counts')
  @ApiOperation({ summary: 'How many agents there are, and how they are' })
  @ApiOkResponse({ type: AgentCountsResponse })
  @ApiProblems(401, 403, 503)
  async counts(@CurrentActor() actor: UserActor): Promise<AgentCountsResponse> {
    return new AgentCountsResponse(await this.agents.counts(actor));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One agent' })
  @ApiOkResponse({ type: AgentResponse })
  @ApiProblems(401, 403, 422, 503, AGENT_NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<AgentResponse> {
    return new AgentResponse(await this.agents.one(actor, id));
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Rename, label, disable or enable an agent',
    description: 'A disabled one is refused from its next request on. Enabling clears the suspicion of a clone.',
  })
  @ApiOkResponse({ type: AgentResponse })
  @ApiProblems(400, 401, 403, 413, 415, 422, 503, AGENT_NOT_FOUND)
  async update(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateAgentRequest,
  ): Promise<AgentResponse> {
    return new AgentResponse(await this.agents.change(actor, id, request.toChange(), this.clock.now()));
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Revoke all certificates of an agent',
    description: 'From its next request on it is refused, also on a connection that is open.',
  })
  @ApiOkResponse({ type: RevokedResponse })
  @ApiProblems(401, 403, 422, 503, AGENT_NOT_FOUND)
  async revoke(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<RevokedResponse> {
    return { id, revoked_certificates: await this.agents.revoke(actor, id, this.clock.now()) };
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete an agent', description: 'With its certificates and its tokens.' })
  @ApiOkResponse({ type: DeletedAgentResponse })
  @ApiProblems(401, 403, 422, 503, AGENT_NOT_FOUND)
  async remove(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<DeletedAgentResponse> {
    await this.agents.delete(actor, id, this.clock.now());
    return { id, deleted: true };
  }
}
