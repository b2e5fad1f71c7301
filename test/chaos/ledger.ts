// Chaos harness. What the agents wrote down, outside of the database.
import { readFileSync } from 'node:fs';

export interface Start {
  readonly taskId: string;
  readonly occurrence: string;
  readonly runId: string;
  readonly pid: number;
}

export class Ledger {
  readonly starts: Start[] = [];
  /** Run ids of agents that came to their end. */
  readonly ends = new Set<string>();

  static read(file: string): Ledger {
    const ledger = new Ledger();
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [kind, ...words] = line.split(' ');
      if (kind === 'E' && words[0] !== undefined) ledger.ends.add(words[0]);
      const [taskId, occurrence, runId, pid] = words;
      if (kind !== 'S' || taskId === undefined || occurrence === undefined || runId === undefined) continue;
      ledger.starts.push({ taskId, occurrence, runId, pid: Number(pid) });
    }
    return ledger;
  }

  /** Agents at work by what the ledger says; whether they still are, the operating system knows. */
  atWork(): Start[] {
    return this.starts.filter(({ runId }) => !this.ends.has(runId));
  }
}
