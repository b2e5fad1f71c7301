// Platform, metrics. How long requests took, by route. The label is the route's pattern and never the path that was
// asked for: ids would make a series for each task, and paths that do not exist one for each guess.
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Histogram } from 'prom-client';
import type { Metrics } from './metrics';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Apart from the middleware, which Nest makes anew for each module that applies it. */
export class RequestMetrics {
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

  ended(labels: { method: string; route: string; status: string }, durationMs: number): void {
    this.durations.observe(labels, durationMs / 1_000);
  }
}

@Injectable()
export class HttpDurations implements NestMiddleware {
  constructor(private readonly requests: RequestMetrics) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const began = performance.now();
    // Closed, not finished: a client that hangs up before the answer counts as well.
    response.once('close', () => {
      const status = response.writableFinished ? String(response.statusCode) : 'aborted';
      const method = METHODS.has(request.method) ? request.method : 'other';
      this.requests.ended({ method, route: routeOf(request), status }, performance.now() - began);
    });
    next();
  }
}

/** Express notes the matched route on the request; when no other matched, that is the one of this middleware. */
function routeOf(request: Request): string {
  const { path } = (request.route as { path?: unknown } | undefined) ?? {};
  return typeof path === 'string' && !path.includes('{*') ? path : 'none';
}
