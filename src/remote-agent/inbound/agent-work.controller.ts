// Inbound. The work of agents, over their own port: fetch a run, keep it, report its end. Certificate, labels and the run's
// own token together say whose it is.
import { Body, Controller, HttpCode, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Clock } from '../../kernel/clock';
import { Public } from '../../platform/auth';
import type { AgentActor } from '../usecases/authenticate-agent';
import { FetchWork } from '../usecases/fetch-work';
import { ReportWork } from '../usecases/report-work';
import { certificateOf } from './agent-connections';
import { CompleteWorkRequest, FetchWorkRequest, WorkTokenRequest } from './agent-work.request';
import { FetchedWorkResponse, WorkRenewalResponse } from './agent-work.response';
import { AgentGuard, CurrentAgent } from './agent.guard';

/** How long a report may be: what the server takes as a body. */
export class ReportLimit {
  constructor(readonly bytes: number) {}
}

@ApiExcludeController()
@Public()
@UseGuards(AgentGuard)
@Controller('/agent/v1/runs')
export class AgentWorkController {
  constructor(
    private readonly fetchWork: FetchWork,
    private readonly reports: ReportWork,
    private readonly limit: ReportLimit,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** 204: there was none within `wait_seconds`. */
  @Post('claim')
  @HttpCode(200)
  async claim(
    @CurrentAgent() agent: AgentActor,
    @Body() { assistants, wait_seconds: waitSeconds = 0 }: FetchWorkRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FetchedWorkResponse | undefined> {
    const certificate = await certificateOf(request);
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    request.socket.once('close', onClose);
    try {
      const work =
        certificate === undefined
          ? null
          : await this.fetchWork.run({ agent, certificate, assistants, waitSeconds, gone: gone.signal });
      if (work !== null) return new FetchedWorkResponse(work, this.clock.now(), this.limit.bytes);
      response.status(204);
      return undefined;
    } finally {
      request.socket.off('close', onClose);
    }
  }

  @Post(':id/lease')
  @HttpCode(200)
  async renew(
    @CurrentAgent() agent: AgentActor,
    @Param('id') id: string,
    @Body() { run_token: token }: WorkTokenRequest,
  ): Promise<WorkRenewalResponse> {
    return new WorkRenewalResponse(await this.reports.renew(agent, id, token), this.clock.now());
  }

  @Post(':id/complete')
  @HttpCode(204)
  async complete(
    @CurrentAgent() agent: AgentActor,
    @Param('id') id: string,
    @Body() request: CompleteWorkRequest,
  ): Promise<void> {
    await this.reports.complete(agent, id, request.run_token, request.toEnd());
  }
}
