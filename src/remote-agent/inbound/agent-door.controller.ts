// Inbound. What agents say over their own port. Not in the OpenAPI document: nothing of it answers on the main one.
import { Body, Controller, HttpCode, Inject, Post, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock';
import { Public } from '../../platform/auth';
import type { AgentActor } from '../usecases/authenticate-agent';
import { DoorWhereabouts } from '../usecases/door-whereabouts';
import { RecordHeartbeat } from '../usecases/record-heartbeat';
import { RenewCertificate } from '../usecases/renew-certificate';
import { HeartbeatRequest, RenewRequest } from './agent-door.request';
import { CertificateResponse, HeartbeatResponse } from './agent-door.response';
import { AgentGuard, CurrentAgent } from './agent.guard';

@ApiExcludeController()
@Public()
@UseGuards(AgentGuard)
@Controller('/agent/v1')
export class AgentDoorController {
  constructor(
    private readonly heartbeats: RecordHeartbeat,
    private readonly renewal: RenewCertificate,
    private readonly whereabouts: DoorWhereabouts,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('heartbeat')
  @HttpCode(200)
  beat(@CurrentAgent() agent: AgentActor, @Body() request: HeartbeatRequest): HeartbeatResponse {
    return new HeartbeatResponse(this.heartbeats.run(agent, request.toTime(), this.clock.now()));
  }

  @Post('renew')
  async renew(@CurrentAgent() agent: AgentActor, @Body() request: RenewRequest): Promise<CertificateResponse> {
    const now = this.clock.now();
    const issued = await this.renewal.renew(agent, request.csr, now);
    return new CertificateResponse(issued, await this.whereabouts.read(now));
  }
}
