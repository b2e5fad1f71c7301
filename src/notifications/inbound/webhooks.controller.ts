// Inbound. Webhooks of a tenant over HTTP, for managers and operators.
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { UserActor } from '../../kernel/actor';
import { Clock } from '../../kernel/clock';
import { CurrentActor, RequireRole } from '../../platform/auth';
import { ApiProblems, type ProblemExample } from '../../platform/protocol/api-problems';
import { ManageWebhooks } from '../usecases/manage-webhooks';
import { ReadDeliveries } from '../usecases/read-deliveries';
import { nextCursor, PAGED, tellNext } from '../../platform/protocol/page-query';
import { CreateWebhookRequest, ListDeliveriesQuery, UpdateWebhookRequest } from './webhook.request';
import { DeliveryResponse, ReplayedResponse, WebhookResponse, WebhookWithSecretResponse } from './webhook.response';

const NOT_FOUND: ProblemExample = {
  status: 404,
  code: 'notifications.webhook-not-found',
  detail: 'There is no webhook "hook-0192f0c4". List your webhooks to see their ids.',
};

@ApiTags('Webhooks')
@RequireRole('manager', 'operator')
@Controller('1.0/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: ManageWebhooks,
    private readonly deliveries: ReadDeliveries,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post()
  @ApiOperation({
    summary: 'Make a webhook',
    description: 'The answer is the only place where its secret is shown. Addresses must be public.',
  })
  @ApiCreatedResponse({ type: WebhookWithSecretResponse })
  @ApiProblems(400, 401, 403, 413, 415, 422, 429, 503)
  async create(
    @CurrentActor() actor: UserActor,
    @Body() request: CreateWebhookRequest,
  ): Promise<WebhookWithSecretResponse> {
    const { endpoint, secret } = await this.webhooks.create(actor, request.toInput(), this.clock.now());
    return new WebhookWithSecretResponse(endpoint, secret);
  }

  @Get()
  @ApiOperation({ summary: 'The webhooks of your tenant', description: 'Newest first; there are never many.' })
  @ApiOkResponse({ type: [WebhookResponse] })
  @ApiProblems(401, 403, 503)
  async list(@CurrentActor() actor: UserActor): Promise<WebhookResponse[]> {
    return (await this.webhooks.list(actor)).map((endpoint) => new WebhookResponse(endpoint));
  }

  @Get(':id')
  @ApiOperation({ summary: 'One webhook' })
  @ApiOkResponse({ type: WebhookResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async one(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<WebhookResponse> {
    return new WebhookResponse(await this.webhooks.find(actor, id));
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change, disable or enable a webhook' })
  @ApiOkResponse({ type: WebhookResponse })
  @ApiProblems(400, 401, 403, 413, 415, 422, 503, NOT_FOUND)
  async change(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Body() request: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return new WebhookResponse(await this.webhooks.change(actor, id, request.toChange(), this.clock.now()));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Delete a webhook', description: 'With its log; what waits is not sent.' })
  @ApiOkResponse({ type: WebhookResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async remove(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<WebhookResponse> {
    return new WebhookResponse(await this.webhooks.remove(actor, id));
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a new secret',
    description: 'Shown here and never again. For 24 h every delivery carries the signatures of both.',
  })
  @ApiOkResponse({ type: WebhookWithSecretResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async rotate(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<WebhookWithSecretResponse> {
    const { endpoint, secret } = await this.webhooks.rotate(actor, id, this.clock.now());
    return new WebhookWithSecretResponse(endpoint, secret);
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send a test', description: 'Sends `webhook.test` at once, and answers what came of it.' })
  @ApiOkResponse({ type: DeliveryResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async test(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<DeliveryResponse> {
    return new DeliveryResponse(await this.deliveries.test(actor, id, this.clock.now()));
  }

  @Get(':id/deliveries')
  @ApiOperation({ summary: 'What was sent', description: 'Newest first.' })
  @ApiOkResponse({ type: [DeliveryResponse], ...PAGED })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async log(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryResponse[]> {
    const { state } = query;
    const page = query.toPage();
    const found = await this.deliveries.list(actor, id, { ...page, ...(state === undefined ? {} : { state }) });
    tellNext(response, nextCursor(found, page));
    return found.map((delivery) => new DeliveryResponse(delivery));
  }

  @Post(':id/deliveries/:deliveryId/replay')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send one again', description: 'At once, as a new delivery of the same event.' })
  @ApiOkResponse({ type: DeliveryResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND)
  async replay(
    @CurrentActor() actor: UserActor,
    @Param('id') id: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryResponse> {
    return new DeliveryResponse(await this.deliveries.replay(actor, id, deliveryId, this.clock.now()));
  }

  @Post(':id/replay-parked')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send all parked ones again' })
  @ApiOkResponse({ type: ReplayedResponse })
  @ApiProblems(401, 403, 422, 503, NOT_FOUND, {
    status: 409,
    code: 'notifications.webhook-disabled',
    detail: 'The webhook is disabled; enable it first.',
  })
  async replayParked(@CurrentActor() actor: UserActor, @Param('id') id: string): Promise<ReplayedResponse> {
    return { replayed: await this.deliveries.replayParked(actor, id, this.clock.now()) };
  }
}
