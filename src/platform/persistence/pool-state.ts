// Platform, persistence. How full the connection pool is, for metrics.
import type { DataSource } from 'typeorm';

export interface PoolReading {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

interface PgPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

export class PoolState {
  constructor(private readonly source: DataSource) {}

  read(): PoolReading {
    const pool = (this.source.driver as { master?: PgPool }).master;
    return { open: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0, waiting: pool?.waitingCount ?? 0 };
  }
}
