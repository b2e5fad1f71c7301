// Platform, persistence. An open pool, for front doors that make no application.
import { DataSource } from 'typeorm';
import { dataSourceOptions, type ConnectionSettings } from './data-source-options';

export type { DataSource };

export function openDataSource(settings: ConnectionSettings): Promise<DataSource> {
  return new DataSource(dataSourceOptions(settings)).initialize();
}
