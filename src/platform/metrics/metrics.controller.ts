// Platform, metrics. The page that Prometheus scrapes. Public: it holds counts and durations, no names and no ids.
import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth';
import { Metrics } from './metrics';

@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Public()
  @Header('Cache-Control', 'no-store')
  async read(@Res() response: Response): Promise<void> {
    response.type(this.metrics.contentType).send(await this.metrics.page());
  }
}
