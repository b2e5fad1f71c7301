// Platform, sockets. On the house's HTTP server, from just before it listens until just before it is closed.
import { type BeforeApplicationShutdown, Global, Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { Clock } from '../../kernel/clock';
import { Authenticate, AuthModule } from '../auth';
import { Config } from '../config/config';
import type { HealthIndicator } from '../health/health-indicators';
import { HealthIndicators } from '../health/health-indicators';
import { Metrics } from '../metrics/metrics';
import { RequestValidation } from '../protocol/validation';
import { provide } from '../wiring';
import { SocketMetrics } from './socket-metrics';
import { Sockets } from './sockets';

@Global()
@Module({
  imports: [AuthModule],
  providers: [provide(Sockets, makeSockets, [Config, Authenticate, Clock, Metrics])],
  exports: [Sockets],
})
export class SocketsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly sockets: Sockets,
    private readonly adapters: HttpAdapterHost,
    @Inject(HealthIndicators) private readonly indicators: HealthIndicators,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.sockets.start(this.adapters.httpAdapter.getHttpServer() as Server);
    this.indicators.add(health(this.sockets));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sockets.close();
  }
}

function makeSockets(config: Config, authenticate: Authenticate, clock: Clock, metrics: Metrics): Sockets {
  const { redisUrl: url, redisPrefix: prefix, socketMaxConnections: mostConnections } = config;
  const settings = { mostConnections, ...(url === undefined ? {} : { redis: { url, prefix } }) };
  const sockets: Sockets = new Sockets(settings, () => parts);
  const parts = {
    clock,
    validation: new RequestValidation(),
    metrics: new SocketMetrics(metrics, () => sockets.count),
    authenticate: (credential: string, now: Date) => authenticate.signIn(credential, now),
  };
  return sockets;
}

function health(sockets: Sockets): HealthIndicator {
  return {
    name: 'sockets',
    mustHave: false,
    check: () => {
      const connections = sockets.count;
      if (sockets.fansOut !== false) return { status: 'ok', connections };
      const message = 'Redis cannot be reached: what other processes say comes late, with the next catching up';
      return { status: 'warn', message, connections };
    },
  };
}
