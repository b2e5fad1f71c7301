// Platform, sockets. Who is connected, what is heard, who was cut off.
import type { Counter } from 'prom-client';
import type { Metrics } from '../metrics/metrics';

export class SocketMetrics {
  private readonly events: Counter<'namespace' | 'event' | 'result'>;
  private readonly refusedConnections: Counter<'namespace' | 'code'>;
  private readonly slow: Counter;

  constructor(metrics: Metrics, connections: () => number) {
    this.events = metrics.counter(
      'horarium_socket_events_total',
      'Events of clients, by how they were answered.',
      'namespace',
      'event',
      'result',
    );
    this.refusedConnections = metrics.counter(
      'horarium_socket_refused_connections_total',
      'Connections that were not let in.',
      'namespace',
      'code',
    );
    this.slow = metrics.counter(
      'horarium_socket_slow_consumers_total',
      'Connections that were cut because they did not read.',
    );
    metrics.contribute(
      'sockets',
      { connections: { name: 'horarium_socket_connections', help: 'Open socket connections of this process.' } },
      () => Promise.resolve({ connections: connections() }),
    );
  }

  heard(namespace: string, event: string, result: string): void {
    this.events.inc({ namespace, event, result });
  }

  refused(namespace: string, code: string): void {
    this.refusedConnections.inc({ namespace, code });
  }

  cutSlow(): void {
    this.slow.inc();
  }
}
