// Test support. The whole application, made as main.ts makes it, on a database of its own, listening on a free port.
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { AppModule } from '../../src/app.module';
import { systemActor, type Role } from '../../src/kernel/actor';
import { Clock } from '../../src/kernel/clock';
import { CreateTenant, CreateToken } from '../../src/platform/auth';
import { loadConfig } from '../../src/platform/config/load-config';
import { configureHttp, HTTP_OPTIONS } from '../../src/platform/http-server';
import { createLogger } from '../../src/platform/protocol/logging';
import { openApiDocument, serveOpenApi } from '../../src/platform/protocol/openapi';
import { Ticker } from '../../src/scheduler/ticker';
import { version } from '../../src/platform/version';
import { testDatabase, type TestDatabase } from './database';

export interface TestApp {
  readonly app: NestExpressApplication;
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly url: string;
  readonly ticker: Ticker;
  /** What was logged so far, line by line. */
  readonly log: readonly string[];
  /** A client that signs every request as this person. */
  as(userId: string, options?: { tenantId?: number; roles?: readonly Role[] }): Promise<Client>;
  token(userId: string, options?: { tenantId?: number; roles?: readonly Role[] }): Promise<string>;
  tenant(name: string): Promise<number>;
  close(): Promise<void>;
}

export interface Client {
  get(path: string): supertest.Test;
  post(path: string, body?: unknown): supertest.Test;
  /** Without a body here, its form is the test's to send. */
  put(path: string, body?: unknown): supertest.Test;
  patch(path: string, body?: unknown): supertest.Test;
  delete(path: string): supertest.Test;
}

/**
 * `env`: settings that differ from what a test wants (a generous budget, no delay for once tasks).
 * `through`: the address by which the application reaches its database, when that is not the straight way.
 * `shared`: the database of another house, which closes it; several processes on one.
 */
export async function testApp(
  env: Readonly<Record<string, string>> = {},
  through: (url: string) => Promise<string> = (url) => Promise.resolve(url),
  shared?: TestDatabase,
): Promise<TestApp> {
  const database = shared ?? (await testDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'horarium-app-'));
  chmodSync(dataDir, 0o755);
  const log: string[] = [];
  let app: NestExpressApplication | undefined;
  const close = async (): Promise<void> => {
    await app?.close();
    if (shared === undefined) await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const databaseUrl = await through(database.url);
    const config = loadConfig(
      {
        HORARIUM_DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        HORARIUM_JWT_SECRET: 'a secret of tests, longer than thirty-two characters',
        HORARIUM_ENCRYPTION_KEY: 'a key of tests, longer than thirty-two characters',
        HORARIUM_LOG_FORMAT: 'json',
        PORT: '0',
        SCHEDULE_MIN_ONCE_DELAY_SECONDS: '0',
        ...env,
      },
      { machineTimezone: 'UTC' },
    );
    const logger = createLogger(config, { write: (line) => log.push(line) });
    app = await NestFactory.create<NestExpressApplication>(AppModule.on({ config, databaseUrl }, logger), {
      ...HTTP_OPTIONS,
      logger: false,
      abortOnError: false,
    });
    configureHttp(app, config, logger);
    serveOpenApi(app, openApiDocument(app, version()));
    await app.listen(0, '127.0.0.1');
    const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    const server = app.getHttpServer();
    const now = (): Date => app!.get<Clock>(Clock).now();
    const token: TestApp['token'] = async (userId, { tenantId = 1, roles = ['user'] } = {}) =>
      (await app!.get(CreateToken).run({ tenantId, userId, roles, ttlSeconds: 3_600 }, now())).token;
    return {
      app,
      database,
      dataDir,
      url,
      ticker: app.get(Ticker),
      log,
      token,
      as: async (userId, options) => client(server, await token(userId, options)),
      tenant: async (name) => (await app!.get(CreateTenant).run(systemActor('tests'), { name }, now())).id,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function client(server: Server, token: string): Client {
  const signed = (test: supertest.Test): supertest.Test => test.set('Authorization', `Bearer ${token}`);
  const agent = supertest(server);
  return {
    get: (path) => signed(agent.get(path)),
    post: (path, body) => signed(agent.post(path)).send(body as object | undefined),
    put: (path, body) => (body === undefined ? signed(agent.put(path)) : signed(agent.put(path)).send(body as object)),
    patch: (path, body) => signed(agent.patch(path)).send(body as object | undefined),
    delete: (path) => signed(agent.delete(path)),
  };
}
