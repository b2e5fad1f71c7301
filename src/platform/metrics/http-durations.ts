// Platform, metrics. How long requests took, by route. The label is the route's pattern and never the path that was
// asked for: ids would make a series for each task, and paths that do not exist one for each guess.
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Histogram } from 'prom-client';
import { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

@Injectable()
export class HttpDurations implements NestMiddleware {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;

  constructor(metrics: Metrics) {
    this.durations = metrics.histogram(
      'horarium_http_request_duration_seconds',
      'Requests by method, route pattern and status.',
      BUCKETS,
      'method',
      'route',
      'status',
    );
  }

  use(request: Request, response: Response, next: NextFunction): void {
    const began = performance.now();
    // Closed, not finished: a client that hangs up before the answer counts as well.
    response.once('close', () => {
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      const method = METHODS.has(request.method) ? request.method : 'other';
      this.durations.observe({ method, route: routeOf(request), status }, (performance.now() - began) / 1_000);
    });
    next();
  }
}

/** Express notes the matched route on the request; nothing is matched before the routes are reached. */
function routeOf(request: Request): string {
  const { path } = (request.route as { path?: unknown } | undefined) ?? {};
  return typeof path === 'string' ? path : 'none';
}
