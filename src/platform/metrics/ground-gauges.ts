// Platform, metrics. The state of the ground, read at a scrape.
import type { Metrics } from './metrics';

export interface Ground {
  readonly clock: { reading(): { readonly aheadOfWallMs: number } };
  readonly pool: { read(): { readonly open: number; readonly idle: number; readonly waiting: number } };
}

const GAUGES = {
  offset: {
    name: 'horarium_clock_offset_seconds',
    help: "How far the database's clock, which the house goes by, is ahead of this machine's.",
  },
  open: { name: 'horarium_database_pool_connections', help: 'Connections to the database that are open.' },
  idle: { name: 'horarium_database_pool_idle', help: 'Those of them that nobody uses.' },
  waiting: { name: 'horarium_database_pool_waiting', help: 'Callers that wait for one.' },
};

export function contributeGround(metrics: Metrics, { clock, pool }: Ground): void {
  metrics.contribute('platform', GAUGES, () =>
    Promise.resolve({ offset: clock.reading().aheadOfWallMs / 1_000, ...pool.read() }),
  );
}
