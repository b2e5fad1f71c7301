// Inbound. Tokens with which machines enrol.
import { Body, Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, RequireRole } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { CreateEnrollmentToken } from '../usecases/create-enrollment-token';
import { EnrollmentTokensOfTenant } from '../usecases/enrollment-tokens-of-tenant';
import { CreateEnrollmentTokenRequest } from './create-enrollment-token.request';
import {
  CreatedEnrollmentTokenResponse,
  EnrollmentTokenResponse,
  WithdrawnResponse,
} from './enrollment-token.response';
import { AGENT_NOT_FOUND, TOKEN_NOT_FOUND } from './problems';

@ApiTags('Remote agents')
@RequireRole('manager', 'operator')
@Controller('1.0/remote-agents/enrollment-tokens')
export class EnrollmentTokensController {
  constructor(
    private readonly createToken: CreateEnrollmentToken,
    private readonly tokens: EnrollmentTokensOfTenant,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Make an enrolment token',
    description:
      'The answer is the only place where it is shown. With `agent_id` it is for that agent again, whose other ' +
      'certificates end as soon as the new one is used.',
  })
  @ApiCreatedResponse({ type: CreatedEnrollmentTokenResponse })
  @ApiProblems(400, 401, 403, 413, 415, 422, 503, AGENT_NOT_FOUND)
  async create(
    @CurrentActor() actor: UserActor,
    @Body() request: CreateEnrollmentTokenRequest,
  ): Promise<CreatedEnrollmentTokenResponse> {
    const { token, secret } = await this.createToken.run(actor, request.toInput(), this.clock.now());
    return new CreatedEnrollmentTokenResponse(token, secret);
  }

  @Get()
  @ApiOperation({
    summary: 'Tokens that still open something',
    description: 'Newest first, the tokens themselves not.',
  })
  @ApiOkResponse({ type: [EnrollmentTokenResponse] })
  @ApiProblems(401, 403, 503)
  async list(@CurrentActor() actor: UserActor): Promise<EnrollmentTokenResponse[]> {
    return (await this.tokens.list(actor, this.clock.now())).map((token) => new EnrollmentTokenResponse(token));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Withdraw a token', description: 'Agents that enrolled with it stay.' })
  @ApiOkResponse({ type: WithdrawnResponse })
  @ApiProblems(401, 403, 422, 503, TOKEN_NOT_FOUND)
  async withdraw(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<WithdrawnResponse> {
    await this.tokens.withdraw(actor, id, this.clock.now());
    return { id, withdrawn: true };
  }
}
