// Platform, persistence. What is known of the pool's lines: a line that gave no answer in time is rarely mute alone, since
// what lies between here and the server is the same for all of them; and a process that stops has no time for mute ones.
import type { ClientBase } from 'pg';

export interface Loan {
  readonly client: ClientBase;
  readonly since: number;
}

export class LineWatch {
  private readonly heardAt = new WeakMap<ClientBase, number>();
  private readonly loans = new Set<Loan>();
  private doubtSince = -Infinity;

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  /** It has not been heard of since another one was asked that did not answer. A new one is trusted. */
  isDoubtful(client: ClientBase): boolean {
    return (this.heardAt.get(client) ?? Infinity) < this.doubtSince;
  }

  lend(client: ClientBase): Loan {
    const loan = { client, since: this.monotonicMs() };
    this.loans.add(loan);
    return loan;
  }

  giveBack(loan: Loan, how: 'heard' | 'unanswered' | 'failed'): void {
    this.loans.delete(loan);
    if (how === 'heard') this.heardAt.set(loan.client, this.monotonicMs());
    if (how === 'unanswered') this.doubtSince = Math.max(this.doubtSince, loan.since);
  }

  /** Those that are lent at this moment, and which of them still are later. */
  lentNow(): () => ClientBase[] {
    const now = [...this.loans];
    return () => now.filter((loan) => this.loans.has(loan)).map(({ client }) => client);
  }
}
