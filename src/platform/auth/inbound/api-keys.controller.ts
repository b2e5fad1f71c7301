// Auth, inbound. A signed-in user's own keys. Keys for others are made at the command line.
import { Body, Controller, Delete, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../../kernel/actor';
import { Clock } from '../../../kernel/clock';
import { ApiProblems } from '../../protocol/api-problems';
import { CreateApiKey } from '../usecases/create-api-key';
import { ListApiKeys } from '../usecases/list-api-keys';
import { RevokeApiKey } from '../usecases/revoke-api-key';
import { ApiKeyResponse, CreatedApiKeyResponse, RevokedApiKeyResponse } from './api-key.response';
import { CreateApiKeyRequest } from './create-api-key.request';
import { CurrentActor } from './door';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(
    private readonly createKey: CreateApiKey,
    private readonly listKeys: ListApiKeys,
    private readonly revokeKey: RevokeApiKey,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Make an API key', description: 'The answer is the only place where the key is shown.' })
  @ApiCreatedResponse({ type: CreatedApiKeyResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, {
    status: 403,
    code: 'auth.role-not-held',
    detail: 'A key cannot have the role operator, which you do not have yourself.',
    field: 'roles',
  })
  async create(@CurrentActor() actor: UserActor, @Body() request: CreateApiKeyRequest): Promise<CreatedApiKeyResponse> {
    const { apiKey, key } = await this.createKey.run(actor, request.toInput(actor), this.clock.now());
    return new CreatedApiKeyResponse(apiKey, key);
  }

  @Get()
  @ApiOperation({ summary: 'Your API keys', description: 'Newest first, without revoked ones.' })
  @ApiOkResponse({ type: [ApiKeyResponse] })
  @ApiProblems(401, 503)
  async list(@CurrentActor() actor: UserActor): Promise<ApiKeyResponse[]> {
    const { tenantId, userId } = actor;
    const keys = await this.listKeys.run(actor, { tenantId, userId, withRevoked: false });
    return keys.map((key) => new ApiKeyResponse(key));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Revoke an API key', description: 'It opens nothing from the next request on.' })
  @ApiOkResponse({ type: RevokedApiKeyResponse })
  @ApiProblems(401, 422, 503, {
    status: 404,
    code: 'auth.api-key-not-found',
    detail: 'There is no such API key, or it is not yours, or it is revoked already.',
  })
  async revoke(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<RevokedApiKeyResponse> {
    return new RevokedApiKeyResponse(await this.revokeKey.run(actor, id, this.clock.now()));
  }
}
