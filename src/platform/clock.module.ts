// Platform. Hands out the house's time and new ids. The offset is measured once before anybody asks for the time.
import { Global, Module } from '@nestjs/common';
import { systemActor } from '../kernel/actor';
import { Clock } from '../kernel/clock';
import { Ids } from '../kernel/ids';
import { DatabaseClock } from './clock';
import { Sessions } from './persistence/sessions';
import { RandomIds } from './random-ids';
import { bind, provide } from './wiring';

const CLOCK = systemActor('measuring the clock');

@Global()
@Module({
  providers: [
    provide(
      DatabaseClock,
      async (sessions: Sessions) => {
        const clock = new DatabaseClock(() => databaseTime(sessions));
        await clock.measure();
        return clock;
      },
      [Sessions],
    ),
    provide(Clock, (clock: DatabaseClock) => clock, [DatabaseClock]),
    bind(Ids, RandomIds, [Clock]),
  ],
  exports: [Clock, DatabaseClock, Ids],
})
export class ClockModule {}

/** The statement's own time, not the transaction's start, which lies a round trip earlier. */
async function databaseTime(sessions: Sessions): Promise<Date> {
  const [row] = await sessions.ask<{ now: Date }>(CLOCK, 'select clock_timestamp() as now');
  if (row === undefined) throw new Error('the database did not say what time it is');
  return row.now;
}
