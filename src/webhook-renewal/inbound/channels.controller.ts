// Inbound. The push channels of all tenants, for operators.
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { systemActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { RequireRole } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { ReadChannels } from '../usecases/read-channels';
import { RenewChannels } from '../usecases/renew-channels';
import { ChannelResponse, RenewalResponse } from './channel.response';

const LONGEST_LIST = 200;

@ApiTags('Google Drive')
@RequireRole('operator')
@Controller('1.0/integrations/google-drive/channels')
export class ChannelsController {
  constructor(
    private readonly channels: ReadChannels,
    private readonly renewal: RenewChannels,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Push channels', description: 'For operators: of all tenants, the newest 200.' })
  @ApiOkResponse({ type: [ChannelResponse] })
  @ApiProblems(401, 403, 503)
  async list(): Promise<ChannelResponse[]> {
    const channels = await this.channels.list(systemActor('an operator looks at channels'), LONGEST_LIST);
    return channels.map((channel) => new ChannelResponse(channel));
  }

  @Post('renew')
  @HttpCode(200)
  @ApiOperation({
    summary: 'New channels now',
    description: 'For operators: a new one for every tenant, then the old one is stopped.',
  })
  @ApiOkResponse({ type: [RenewalResponse] })
  @ApiProblems(401, 403, 503)
  async renew(): Promise<RenewalResponse[]> {
    return (await this.renewal.all(this.clock.now(), true)).map((one) => new RenewalResponse(one));
  }
}
