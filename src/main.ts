// Front door: the server. HTTP, and everything the house does by itself.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import type { Logger as PinoLogger } from 'pino';
import { AppModule } from './app.module';
import { AgentIsolation, checkAgents } from './agent-run';
import { ensureOperatorToken } from './platform/auth';
import type { Config } from './platform/config/config';
import { loadConfig } from './platform/config/load-config';
import { unknownSettings } from './platform/config/unknown-settings';
import { removeServerAddress, writeServerAddress } from './platform/data-folder/server-address';
import { HealthIndicators } from './platform/health/health-indicators';
import { openGround } from './platform/ground/ground';
import { configureHttp, HTTP_OPTIONS } from './platform/http-server';
import { checkAddress, listen } from './platform/listen';
import { Sessions } from './platform/persistence/sessions';
import { cliRefusal } from './platform/protocol/cli-errors';
import { asTyped } from './platform/protocol/cli-output';
import { createLogger } from './platform/protocol/logging';
import { openApiDocument, serveOpenApi } from './platform/protocol/openapi';
import { stopOnSignal } from './platform/stop-on-signal';
import { version } from './platform/version';
import { welcome } from './platform/welcome';

async function main(): Promise<void> {
  const settings = loadConfig(process.env, { machineTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  const logger = createLogger(settings);
  for (const warning of unknownSettings(process.env)) logger.warn(warning);

  // Heard from the first moment: a signal during the start waits for its end, since by default it would end this process
  // at once and leave behind the database that had just been started.
  const house = open(settings, logger);
  stopOnSignal(async () => (await house)(), logger, settings.shutdownDeadlineSeconds);
  await house;
}

/** Opens the house; answers how to close it. One that cannot be opened is closed again. */
async function open(settings: Config, logger: PinoLogger): Promise<() => Promise<void>> {
  const ground = await openGround(settings, logger, async () => {
    await checkAddress(settings);
    await checkAgents(settings);
  });
  const { config, folder, database } = ground;
  let app: NestExpressApplication | undefined;
  const close = async (): Promise<void> => {
    app?.get(HealthIndicators).drain();
    app?.get(Sessions).hurry();
    await app?.close();
    removeServerAddress(folder);
    await ground.close();
  };
  try {
    // Errors while the application is made are ours to say; Nest would end the process under the database.
    app = await NestFactory.create<NestExpressApplication>(AppModule.on(ground, logger), {
      ...HTTP_OPTIONS,
      abortOnError: false,
    });
    app.useLogger(app.get(Logger));
    configureHttp(app, config, logger);
    serveOpenApi(app, openApiDocument(app, version()));
    const { url, local } = await listen(app, config);
    writeServerAddress(folder, local);
    const operatorToken = await ensureOperatorToken(app, config, folder);
    const isolation = app.get<AgentIsolation>(AgentIsolation).inWords();
    process.stdout.write(
      welcome({ url, version: version(), database, dataDir: folder.path, operatorToken, isolation }),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

// A log that nobody reads any more (`npm start | tee log` and Ctrl-C, a terminal that is gone) is no reason to end in the
// middle of things, which an error that nobody hears is.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().catch((error: unknown) => {
  const { text, exitCode } = cliRefusal(error);
  process.stderr.write(`${asTyped(text, 'npx horarium')}\n`);
  process.exit(exitCode);
});
