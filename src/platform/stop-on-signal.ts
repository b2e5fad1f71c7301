// Platform. A signal ends the server in order: no new work, what runs may end, then the database.
import type { Logger } from 'pino';

/** What a stop may take beyond the deadline that features keep: closing connections, stopping the database. */
const CLOSING_SECONDS = 10;

/** The first SIGTERM or SIGINT stops; a second one ends the process at once. Exit code 0, or 1 when a stop failed. */
export function stopOnSignal(stop: () => Promise<void>, logger: Logger, deadlineSeconds: number): void {
  let stopping = false;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) {
      logger.warn(`${signal} again: ending at once; what was running is settled at the next start`);
      process.exit(1);
    }
    stopping = true;
    logger.info(`${signal}: stopping; runs may end within ${deadlineSeconds} s`);
    const overdue = setTimeout(
      () => {
        logger.error('The stop took too long; what is left is settled at the next start');
        process.exit(1);
      },
      (deadlineSeconds + CLOSING_SECONDS) * 1_000,
    );
    overdue.unref();
    try {
      await stop();
      logger.info('Stopped');
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'The stop failed; what is left is settled at the next start');
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
  // On a terminal it says that the terminal is gone. Otherwise it means "read the assistants again" (agent-run listens
  // while it runs); without a listener, during the start and during the stop, it would end the process on the spot.
  const onTerminal = process.stdin.isTTY === true;
  process.on('SIGHUP', () => void (onTerminal ? end('SIGHUP') : undefined));
}
