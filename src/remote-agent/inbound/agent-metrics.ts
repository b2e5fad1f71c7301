// Inbound. The figures of the agents' port.
import type { Counter } from 'prom-client';
import type { Metrics } from '../../platform/metrics/metrics';
import type { FlushFacts } from '../usecases/record-heartbeat';
import type { ListenerFacts } from './agent-listener';

export class AgentMetrics implements ListenerFacts, FlushFacts {
  private readonly refusals: Counter<'code'>;
  private readonly beats: Counter;
  private lagMs = 0;

  constructor(private readonly metrics: Metrics) {
    this.refusals = metrics.counter(
      'horarium_agent_connections_refused_total',
      'Connections to the port for agents that ended before the first request: wrong certificate, or too many at once.',
      'code',
    );
    this.beats = metrics.counter('horarium_agent_heartbeats_total', 'Heartbeats of agents that were written.');
  }

  watch(connections: () => Promise<number>): void {
    const gauges = {
      connections: { name: 'horarium_agent_connections', help: 'Open connections of agents to this process.' },
      lag: {
        name: 'horarium_agent_flush_lag_seconds',
        help: 'How long the oldest heartbeat of the last flush had waited.',
      },
    };
    this.metrics.contribute('agent port', gauges, async () => ({
      connections: await connections(),
      lag: this.lagMs / 1_000,
    }));
  }

  refused(code: string): void {
    this.refusals.inc({ code });
  }

  flushed(beats: number, oldestWaitedMs: number): void {
    this.beats.inc(beats);
    this.lagMs = oldestWaitedMs;
  }
}
