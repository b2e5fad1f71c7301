// Platform, metrics. The registry, for everybody, and the page.
import { Global, type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { construct, provide } from '../wiring';
import { HttpDurations } from './http-durations';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { ScheduleMetrics } from './schedule-metrics';
import { TickMetrics } from './tick-metrics';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [
    provide(Metrics, readyMetrics, []),
    construct(ScheduleMetrics, [Metrics]),
    construct(TickMetrics, [Metrics]),
    HttpDurations,
  ],
  exports: [Metrics, ScheduleMetrics, TickMetrics],
})
export class MetricsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(HttpDurations).forRoutes({ path: '{*path}', method: RequestMethod.ALL });
  }
}

function readyMetrics(): Metrics {
  const metrics = new Metrics();
  metrics.collectProcess();
  return metrics;
}
