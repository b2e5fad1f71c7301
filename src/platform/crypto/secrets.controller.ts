// Platform, crypto. Stored secrets for operators: under which keys they are, and the way to a new one.
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../auth';
import { ApiProblems } from '../protocol/api-problems';
import { SealedColumns } from './sealed-columns';
import { Sealing } from './sealing';
import { ResealedResponse, SecretsResponse } from './secrets.response';

@ApiTags('Operations')
@RequireRole('operator')
@Controller('operations/secrets')
export class SecretsController {
  constructor(
    private readonly sealing: Sealing,
    private readonly columns: SealedColumns,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Under which keys the stored secrets are', description: 'For operators. Shows no secret.' })
  @ApiOkResponse({ type: SecretsResponse })
  @ApiProblems(401, 403, 503)
  async read(): Promise<SecretsResponse> {
    return new SecretsResponse(this.sealing, await this.columns.count());
  }

  @Post('reseal')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Seal all stored secrets under the current key',
    description:
      'For operators, after a change of `HORARIUM_ENCRYPTION_KEY`: when it has succeeded, ' +
      '`HORARIUM_ENCRYPTION_KEYS_OLD` may go. Asking again is fine.',
  })
  @ApiOkResponse({ type: ResealedResponse })
  @ApiProblems(401, 403, 500, {
    status: 503,
    code: 'platform.sealing-key-missing',
    detail:
      'agent_authorities.private_key of id 1 is sealed under the key 5f2b9c0d41a7e836, which this server does not have. ' +
      'Put that key back into HORARIUM_ENCRYPTION_KEY, or beside the new one into HORARIUM_ENCRYPTION_KEYS_OLD.',
  })
  async reseal(): Promise<ResealedResponse> {
    return new ResealedResponse(this.sealing, await this.columns.reseal());
  }
}
