// Benchmarks. What a benchmark is, and what it is given: options, a voice, and a place for what has to be put away.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Benchmark {
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /** It is given up after so long. */
  readonly minutes: number;
  run(bench: Bench): Promise<object>;
}

export interface BenchOptions {
  readonly rounds: number;
  /** How many rows stand for "a million". */
  readonly rows: number;
}

export class Bench {
  private readonly closings: (() => Promise<void> | void)[] = [];
  private closing: Promise<void> | undefined;

  constructor(readonly options: BenchOptions) {}

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Done at the end, last one first, also after a failure. */
  later(closing: () => Promise<void> | void): void {
    this.closings.push(closing);
  }

  /** A new folder that every user can enter. */
  folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'horarium-bench-'));
    chmodSync(path, 0o755);
    this.later(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
    return path;
  }

  close(): Promise<void> {
    this.closing ??= this.putAway();
    return this.closing;
  }

  private async putAway(): Promise<void> {
    for (const closing of this.closings.reverse()) {
      try {
        await closing();
      } catch (error) {
        this.say(`While tidying up: ${String(error)}`);
      }
    }
  }
}
