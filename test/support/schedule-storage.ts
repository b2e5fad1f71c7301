// Test support. The two storages that the contract suites judge: the in-memory fakes and the adapters on PostgreSQL. What
// the ports do not tell (leases, split columns) is read and arranged here, behind their backs.
import { randomUUID } from 'node:crypto';
import { SqlDispatchLedger } from '../../src/schedule/outbound/sql-dispatch-ledger';
import { SqlRunRepository } from '../../src/schedule/outbound/sql-run-repository';
import { SqlTaskRepository } from '../../src/schedule/outbound/sql-task-repository';
import type { DispatchLedger } from '../../src/schedule/ports/dispatch-ledger';
import type { RunRepository } from '../../src/schedule/ports/run-repository';
import type { TaskRepository } from '../../src/schedule/ports/task-repository';
import { arrangement } from './fakes/arranged-books';
import { Books } from './fakes/books';
import type { Arrangement } from './arrangement';
import { CountedIds } from './fakes/counted-ids';
import { InMemoryDispatchLedger } from './fakes/in-memory-dispatch-ledger';
import { InMemoryRunRepository } from './fakes/in-memory-run-repository';
import { InMemoryTaskRepository } from './fakes/in-memory-task-repository';
import { SteeredClock } from './fakes/steered-clock';
import { ScheduleTables } from './schedule-tables';
import { testDatabase } from './database';

export interface Storage {
  readonly tasks: TaskRepository;
  readonly runs: RunRepository;
  readonly ledger: DispatchLedger;
  readonly is: Arrangement;
  close(): Promise<void>;
}

export const STORAGES: readonly [string, () => Promise<Storage>][] = [
  ['in memory', () => Promise.resolve(inMemory())],
  ['on PostgreSQL', onPostgres],
];

async function onPostgres(): Promise<Storage> {
  const database = await testDatabase();
  const is = await ScheduleTables.in(database);
  return {
    tasks: new SqlTaskRepository(database.sessions),
    runs: new SqlRunRepository(database.sessions),
    ledger: new SqlDispatchLedger(database.sessions, { uuid: randomUUID }),
    is,
    close: () => database.close(),
  };
}

function inMemory(): Storage {
  const clock = new SteeredClock(new Date(0));
  const books = new Books(clock);
  return {
    tasks: new InMemoryTaskRepository(books),
    runs: new InMemoryRunRepository(books),
    ledger: new InMemoryDispatchLedger(books, new CountedIds()),
    is: arrangement(books, clock),
    close: () => Promise.resolve(),
  };
}
