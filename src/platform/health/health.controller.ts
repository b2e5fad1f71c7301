// Platform, health. The two questions of an orchestrator, without a token. `live` asks nothing of anybody else: a
// database that is away is no reason to kill this process.
import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../auth';
import { HealthIndicators } from './health-indicators';
import { HealthResponse, LiveResponse } from './health.response';

@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly indicators: HealthIndicators) {}

  @Get('live')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'Is the process alive?', description: 'Asks nothing of the database. No token needed.' })
  @ApiOkResponse({ type: LiveResponse })
  live(): LiveResponse {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Can the process do its work?',
    description:
      'Each check is `ok`, `warn` or `fail`. 503 when a must-have check fails. No token needed, no secrets shown.',
  })
  @ApiOkResponse({ type: HealthResponse })
  @ApiResponse({ status: 503, type: HealthResponse, description: 'A must-have check fails.' })
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthResponse> {
    const report = await this.indicators.report();
    response.status(report.status === 'fail' ? 503 : 200);
    return report;
  }
}
