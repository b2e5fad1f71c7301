// Platform, metrics. The registry, for everybody, and the page. Needs DatabaseClock and PoolState from global modules.
import { Global, type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { DatabaseClock } from '../clock';
import { PoolState } from '../persistence/pool-state';
import { construct, provide } from '../wiring';
import { contributeGround } from './ground-gauges';
import { HttpDurations, RequestMetrics } from './http-durations';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { ScheduleMetrics } from './schedule-metrics';
import { TickMetrics } from './tick-metrics';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [
    provide(Metrics, readyMetrics, [DatabaseClock, PoolState]),
    construct(ScheduleMetrics, [Metrics]),
    construct(TickMetrics, [Metrics]),
    construct(RequestMetrics, [Metrics]),
  ],
  exports: [Metrics, ScheduleMetrics, TickMetrics],
})
export class MetricsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(HttpDurations).forRoutes({ path: '{*path}', method: RequestMethod.ALL });
  }
}

function readyMetrics(clock: DatabaseClock, pool: PoolState): Metrics {
  const metrics = new Metrics();
  metrics.collectProcess();
  contributeGround(metrics, { clock, pool });
  return metrics;
}
