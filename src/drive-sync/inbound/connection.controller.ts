// Inbound. A tenant's connection to Google Drive.
import { Controller, Delete, Get, Header, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, Public, RequireRole } from '../../platform/auth';
import { ApiProblems, type ProblemExample } from '../../platform/protocol/api-problems';
import { ConnectDrive } from '../usecases/connect-drive';
import { RebuildAll } from '../usecases/rebuild-all';
import { AuthorizeQuery, CallbackQuery } from './connection.request';
import {
  AuthorizeResponse,
  authorizeResponse,
  ConnectionResponse,
  DisconnectedResponse,
  RebuildResponse,
} from './connection.response';

const NOT_CONFIGURED: ProblemExample = {
  status: 409,
  code: 'drive-sync.not-configured',
  detail: 'Google Drive is not set up on this server: the operator has to set DRIVE_OAUTH_CLIENT_ID and …',
};
const NOT_CONNECTED: ProblemExample = {
  status: 409,
  code: 'drive-sync.not-connected',
  detail: 'No Google Drive is connected. Connect one first: GET /api/1.0/integrations/google-drive/tenant/authorize.',
};

@ApiTags('Google Drive')
@Controller('1.0/integrations/google-drive/tenant')
export class ConnectionController {
  constructor(
    private readonly connection: ConnectDrive,
    private readonly rebuilds: RebuildAll,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'The connection of your tenant',
    description: 'Status, account, channel, queue, last sync.',
  })
  @ApiOkResponse({ type: ConnectionResponse })
  @ApiProblems(401, 503)
  async status(@CurrentActor() actor: UserActor): Promise<ConnectionResponse> {
    return new ConnectionResponse(await this.connection.status(actor, this.clock.now()));
  }

  @Get('authorize')
  @RequireRole('manager', 'operator')
  @ApiOperation({ summary: 'Begin to connect', description: 'Answers the address where Google asks for consent.' })
  @ApiOkResponse({ type: AuthorizeResponse })
  @ApiProblems(401, 403, 422, 503, NOT_CONFIGURED)
  async authorize(@CurrentActor() actor: UserActor, @Query() query: AuthorizeQuery): Promise<AuthorizeResponse> {
    return authorizeResponse(await this.connection.authorize(actor, query.drive_id ?? null, this.clock.now()));
  }

  @Get('callback')
  @Public()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiOperation({
    summary: 'Where Google sends the browser back to',
    description:
      'Open to everyone, since the browser has no token here: the state, known to nobody else, says who began.',
  })
  @ApiProduces('text/html')
  @ApiOkResponse({ description: 'A page that says that the drive is connected.', schema: { type: 'string' } })
  @ApiProblems(
    422,
    503,
    {
      status: 403,
      code: 'drive-sync.consent-refused',
      detail: 'Google gave no access (access_denied). Begin again, and …',
    },
    { status: 502, code: 'drive-sync.drive-refused', detail: 'Google Drive: 503 backendError (consent).' },
  )
  async callback(@Query() query: CallbackQuery): Promise<string> {
    const { state, code, error } = query;
    await this.connection.callback({ state, code, error }, this.clock.now());
    return '<!doctype html><meta charset="utf-8"><title>Horarium</title><p>Google Drive is connected. You can close this page.</p>';
  }

  @Delete()
  @RequireRole('manager', 'operator')
  @ApiOperation({
    summary: 'Disconnect',
    description: 'Channels are stopped, the grant is revoked at Google, jobs wait. Nothing is deleted, here or there.',
  })
  @ApiOkResponse({ type: DisconnectedResponse })
  @ApiProblems(401, 403, 503, NOT_CONNECTED)
  async disconnect(@CurrentActor() actor: UserActor): Promise<DisconnectedResponse> {
    await this.connection.disconnect(actor, this.clock.now());
    return { status: 'DISCONNECTED' };
  }

  @Post('rebuild-all')
  @HttpCode(202)
  @RequireRole('manager', 'operator')
  @ApiOperation({
    summary: 'Compare everything with Drive',
    description: 'Operators: of all tenants; managers: of their own. Asking again is fine.',
  })
  @ApiAcceptedResponse({ type: RebuildResponse })
  @ApiProblems(401, 403, 503, NOT_CONNECTED)
  async rebuild(@CurrentActor() actor: UserActor): Promise<RebuildResponse> {
    return new RebuildResponse(await this.rebuilds.run(actor, this.clock.now()));
  }

  @Get('rebuild-all')
  @RequireRole('manager', 'operator')
  @ApiOperation({ summary: 'How far that is' })
  @ApiOkResponse({ type: RebuildResponse })
  @ApiProblems(401, 403, 503, NOT_CONNECTED)
  async progress(@CurrentActor() actor: UserActor): Promise<RebuildResponse> {
    return new RebuildResponse(await this.rebuilds.progress(actor));
  }
}
