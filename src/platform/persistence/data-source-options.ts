// Platform, persistence. How the house connects. Migrations run through migrations/index.ts as a list of classes:
// no glob, so that the build and the sources behave alike.
import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations';

export interface ConnectionSettings {
  /** `postgres://…`; the role in it is the login role, see sessions.ts for the one that statements run as. */
  readonly url: string;
  readonly poolSize: number;
}

export function dataSourceOptions({ url, poolSize }: ConnectionSettings): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    applicationName: 'horarium',
    synchronize: false,
    installExtensions: false,
    migrations,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    // Broken idle connections are the pool's everyday business; without a handler they would end the process.
    poolErrorHandler: () => undefined,
    extra: {
      max: poolSize,
      // Without it a full pool waits for ever.
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
    },
  };
}
