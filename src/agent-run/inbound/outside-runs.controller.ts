// Inbound. The door for agents outside: fetch a run, say that one is still at it, report how it ended. Fetching takes a token
// of this house; the rest the run's own token, which is good for nothing else.
import { Body, Controller, Headers, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, Public } from '../../platform/auth';
import { ApiProblems } from '../../platform/protocol/api-problems';
import { RunTokenMissingError } from '../domain/errors';
import { ClaimRun } from '../usecases/claim-run';
import { FetchableAssistants } from '../usecases/fetchable-assistants';
import { ReportRun } from '../usecases/report-run';
import { ClaimRunRequest } from './claim-run.request';
import { ClaimedRunResponse, CompletedResponse, LeaseRenewalResponse } from './claimed-run.response';
import { CompleteRunRequest } from './complete-run.request';

const NOT_HELD = {
  status: 409,
  code: 'agent-run.run-not-held',
  detail:
    'This token does not hold agent run 019870c2-f3a4-7c1e-8a5b-0d6f2e4c9b71 (any more): it has ended, or was given to another agent.',
} as const;

@ApiTags('Agents outside')
@Controller('agent-runs')
export class OutsideRunsController {
  constructor(
    private readonly claimRun: ClaimRun,
    private readonly reportRun: ReportRun,
    private readonly assistants: FetchableAssistants,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post('claim')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Fetch a run',
    description:
      'The oldest waiting run of these assistants (driver `pull`), for nobody else. An operator gets the runs of everybody in ' +
      'the tenant, anyone else their own. 204: there was none.',
  })
  @ApiOkResponse({ type: ClaimedRunResponse })
  @ApiNoContentResponse({ description: 'There was none within `wait_seconds`.' })
  @ApiProblems(400, 401, 413, 415, 422, 503)
  async claim(
    @CurrentActor() actor: UserActor,
    @Body() request: ClaimRunRequest,
    @Req() http: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ClaimedRunResponse | undefined> {
    for (const id of request.assistant_ids) this.assistants.mustBeForTokens(id);
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    http.socket.once('close', onClose);
    try {
      const run = await this.claimRun.run({
        scope: { tenantId: actor.tenantId, userId: actor.roles.includes('operator') ? null : actor.userId },
        assistantIds: request.assistant_ids,
        claimedBy: request.claimed_by ?? actor.userId,
        waitSeconds: request.wait_seconds ?? 0,
        gone: gone.signal,
      });
      if (run !== null) return new ClaimedRunResponse(run);
      response.status(204);
      return undefined;
    } finally {
      http.socket.off('close', onClose);
    }
  }

  @Post(':id/heartbeat')
  @Public()
  @HttpCode(200)
  @ApiBearerAuth('run token')
  @ApiOperation({ summary: 'Say that the agent still works on a run', description: 'With the `run_token` of the run.' })
  @ApiOkResponse({ type: LeaseRenewalResponse })
  @ApiProblems(401, 422, 503, NOT_HELD)
  async heartbeat(@Param('id') id: string, @Headers('authorization') header?: string): Promise<LeaseRenewalResponse> {
    return new LeaseRenewalResponse(await this.reportRun.renew(id, runToken(header)));
  }

  @Post(':id/complete')
  @Public()
  @HttpCode(200)
  @ApiBearerAuth('run token')
  @ApiOperation({
    summary: 'Report how a run has ended',
    description: 'With the `run_token` of the run, which is used up by it. A failure is reported as `error`.',
  })
  @ApiOkResponse({ type: CompletedResponse })
  @ApiProblems(400, 401, 413, 415, 422, 503, NOT_HELD)
  async complete(
    @Param('id') id: string,
    @Body() request: CompleteRunRequest,
    @Headers('authorization') header?: string,
  ): Promise<CompletedResponse> {
    await this.reportRun.complete(id, runToken(header), request.toEnd(this.clock.now()));
    return new CompletedResponse(id);
  }
}

function runToken(header: string | undefined): string {
  const token = /^Bearer +([A-Za-z0-9_-]{1,200})$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new RunTokenMissingError();
  return token;
}
