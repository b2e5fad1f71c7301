// Inbound. Where Drive says that something changed. Anybody can call it: only what names one of our channels, with its
// token, causes anything. The body is never read.
import { Controller, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '../../kernel/clock';
import { Public } from '../../platform/auth';
import { ChannelUnknownError, TooManyMessagesError } from '../domain/errors';
import { TakeNotice } from '../usecases/take-notice';
import { StrangerLimit } from './stranger-limit';
import { WebhookMetrics } from './webhook-metrics';

@ApiExcludeController()
@Public()
@Controller('1.0/webhooks/google-drive')
export class WebhookController {
  constructor(
    private readonly notices: TakeNotice,
    private readonly strangers: StrangerLimit,
    private readonly metrics: WebhookMetrics,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  @Post(':tenant')
  @HttpCode(200)
  async take(@Param('tenant') tenant: string, @Req() request: Request): Promise<void> {
    const now = this.clock.now();
    const from = request.ip ?? '';
    const channelId = request.get('X-Goog-Channel-ID') ?? '';
    const token = request.get('X-Goog-Channel-Token') ?? '';
    if (this.strangers.exceeded(from, now) && !this.strangers.knows(channelId, token)) {
      this.metrics.counted('limited');
      throw new TooManyMessagesError();
    }
    try {
      await this.notices.run(
        {
          tenantId: /^\d{1,9}$/.test(tenant) ? Number(tenant) : 0,
          channelId,
          resourceId: request.get('X-Goog-Resource-ID') ?? '',
          token,
          state: request.get('X-Goog-Resource-State') ?? '',
        },
        now,
      );
      this.strangers.know(channelId, token);
      this.metrics.counted('taken');
    } catch (error) {
      if (error instanceof ChannelUnknownError) this.strangers.count(from, now);
      this.metrics.counted(error instanceof ChannelUnknownError ? 'unknown' : 'failed');
      throw error;
    }
  }
}
