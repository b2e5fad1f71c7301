// Test support. A process on in-memory storage: what every use-case test of the schedule begins with.
import type { UserActor } from '../../src/kernel/actor';
import type { Arrangement } from './arrangement';
import { arrangement } from './fakes/arranged-books';
import { Books } from './fakes/books';
import { CountedIds } from './fakes/counted-ids';
import { InMemoryDispatchLedger } from './fakes/in-memory-dispatch-ledger';
import { InMemoryRunRepository } from './fakes/in-memory-run-repository';
import { InMemoryTaskRepository } from './fakes/in-memory-task-repository';
import { SteeredClock } from './fakes/steered-clock';
import { NOON, OWNER } from './schedule-builders';
import { ScheduleProcess, type ProcessParts } from './schedule-process';

export const ALICE: UserActor = { type: 'user', roles: ['user'], ...OWNER };
export const BOB: UserActor = { ...ALICE, userId: 'bob' };

export class InMemoryHouse {
  readonly clock = new SteeredClock(NOON);
  readonly books = new Books(this.clock);
  readonly tasks = new InMemoryTaskRepository(this.books);
  readonly runs = new InMemoryRunRepository(this.books);
  readonly ledger = new InMemoryDispatchLedger(this.books, new CountedIds());
  readonly is: Arrangement = arrangement(this.books, this.clock);

  process(parts: Partial<ProcessParts> = {}): ScheduleProcess {
    return new ScheduleProcess({
      tasks: this.tasks,
      ledger: this.ledger,
      runs: this.runs,
      clock: this.clock,
      ...parts,
    });
  }
}
