// docs/openapi.json, made from the controllers without starting anything: Nest's preview mode builds the graph of
// modules and constructs no provider, so no database, no port and no data folder is asked for.
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from '../src/app.module';
import { loadConfig } from '../src/platform/config/load-config';
import { HTTP_OPTIONS, prefixRoutes } from '../src/platform/http-server';
import { createLogger } from '../src/platform/protocol/logging';
import { openApiDocument, openApiText } from '../src/platform/protocol/openapi';
import { version } from '../src/platform/version';

export async function openApiPage(): Promise<string> {
  const config = loadConfig({}, { machineTimezone: 'UTC' });
  const logger = createLogger(config, { write: () => undefined });
  const root = AppModule.on({ config, databaseUrl: 'postgresql://nobody@127.0.0.1:1/none' }, logger);
  const options = { ...HTTP_OPTIONS, preview: true, logger: false, abortOnError: false } as const;
  const app = await NestFactory.create<NestExpressApplication>(root, options);
  prefixRoutes(app);
  return openApiText(openApiDocument(app, version()));
}
