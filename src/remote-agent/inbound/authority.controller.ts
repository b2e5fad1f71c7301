// Inbound. The authority that signs for agents, for operators.
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock';
import { RequireRole } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { ManageAuthority } from '../usecases/manage-authority';
import { AuthorityResponse } from './authority.response';
import { AUTHORITY_GIVEN } from './problems';

@ApiTags('Remote agents')
@RequireRole('operator')
@Controller('1.0/remote-agents/authorities')
export class AuthorityController {
  constructor(
    private readonly authority: ManageAuthority,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Who vouches for agents', description: 'Newest first: that one signs. For operators.' })
  @ApiOkResponse({ type: [AuthorityResponse] })
  @ApiProblems(401, 403, 503)
  async show(): Promise<AuthorityResponse[]> {
    return (await this.authority.show(this.clock.now())).map((one) => new AuthorityResponse(one));
  }

  @Post('rotate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Put a new authority in front',
    description:
      'It signs from now on. The one before stays trusted until its last certificate can be recovered no more; agents ' +
      'hear of the new one when they renew. For operators.',
  })
  @ApiOkResponse({ type: [AuthorityResponse] })
  @ApiProblems(401, 403, 503, AUTHORITY_GIVEN)
  async rotate(): Promise<AuthorityResponse[]> {
    return (await this.authority.rotate(this.clock.now())).map((one) => new AuthorityResponse(one));
  }
}
