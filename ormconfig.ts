// For the TypeORM command line only (`npm run typeorm -- migration:show`); nothing in src imports it.
import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/platform/persistence/data-source-options';

const url = process.env.DATABASE_MIGRATION_URL ?? process.env.DATABASE_URL;
if (url === undefined) throw new Error('Set DATABASE_URL to the database that the command is meant for.');

export default new DataSource(dataSourceOptions({ url, poolSize: 2 }));
