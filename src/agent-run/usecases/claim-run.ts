// Use case. An agent fetches its work: the oldest waiting run of its assistants, or, if it likes to wait, the next that comes.
// Of many that wait in this process one asks the store at a time, so that a new run does not cost a question for each.
import { type ClaimedRun, type ClaimScope, tokenOf } from '../domain/outside-run';
import type { OutsideRuns } from '../ports/outside-runs';

/** Connections must not be held open for ever. */
export const LONGEST_WAIT_SECONDS = 30;
/** A wake can get lost: a waiting agent asks so often by itself. */
const BACKSTOP_MS = 5_000;

export interface ClaimRunInput {
  /** Whose runs the caller may fetch. The caller is judged before: this use case takes its word. */
  readonly scope: ClaimScope;
  /** A run of any of these. Those that do not exist, or are executed in another way, have no waiting runs. */
  readonly assistantIds: readonly string[];
  /** For the operator: who has it. */
  readonly claimedBy: string;
  /** Whose hands alone the run's token works in; undefined: in anybody's. */
  readonly boundTo?: string;
  readonly waitSeconds: number;
  /** The caller is gone: what it would get is for somebody else. */
  readonly gone?: AbortSignal;
}

interface Waiting {
  readonly input: ClaimRunInput;
  readonly answer: (run: ClaimedRun | null) => void;
  readonly fail: (error: Error) => void;
}

export class ClaimRun {
  private readonly waiting = new Set<Waiting>();
  private stopListening: (() => void) | undefined;
  private backstop: NodeJS.Timeout | undefined;
  private serving = false;
  private serveAgain = false;
  private closed = false;

  constructor(private readonly outside: OutsideRuns) {}

  /** Null: there was nothing within the time. */
  async run(input: ClaimRunInput): Promise<ClaimedRun | null> {
    if (input.assistantIds.length === 0) return null;
    const run = await this.claim(input);
    const waitMs = Math.min(Math.max(0, input.waitSeconds), LONGEST_WAIT_SECONDS) * 1_000;
    if (run !== null || waitMs === 0 || this.closed || input.gone?.aborted === true) return run;
    return this.wait(input, waitMs);
  }

  /** Of a run that its claimant must not have after all. */
  async giveBack(agentRunId: string, token: string, boundTo?: string): Promise<void> {
    await this.outside.release(agentRunId, tokenOf(token, boundTo));
  }

  /** Sends everybody who waits away with nothing. */
  close(): void {
    this.closed = true;
    for (const { answer } of [...this.waiting]) answer(null);
  }

  private wait(input: ClaimRunInput, waitMs: number): Promise<ClaimedRun | null> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        input.gone?.removeEventListener('abort', onGone);
        this.waiting.delete(waiting);
        if (this.waiting.size === 0) this.listenNoMore();
      };
      const waiting: Waiting = {
        input,
        answer: (run) => (leave(), resolve(run)),
        fail: (error) => (leave(), reject(error)),
      };
      const onGone = (): void => waiting.answer(null);
      const timer = setTimeout(() => waiting.answer(null), waitMs);
      input.gone?.addEventListener('abort', onGone, { once: true });
      this.waiting.add(waiting);
      this.listen();
      // Between the first question and this moment one may have come.
      void this.serve();
    });
  }

  private listen(): void {
    this.stopListening ??= this.outside.whenOffered(() => void this.serve());
    this.backstop ??= setInterval(() => void this.serve(), BACKSTOP_MS);
  }

  private listenNoMore(): void {
    this.stopListening?.();
    this.stopListening = undefined;
    clearInterval(this.backstop);
    this.backstop = undefined;
  }

  /** In the order in which they came. Who asks for the same in vain is not asked for twice. */
  private async serve(): Promise<void> {
    this.serveAgain = true;
    if (this.serving) return;
    this.serving = true;
    try {
      while (this.serveAgain) {
        this.serveAgain = false;
        const inVain = new Set<string>();
        for (const waiting of [...this.waiting]) await this.serveOne(waiting, inVain);
      }
    } finally {
      this.serving = false;
    }
  }

  private async serveOne(waiting: Waiting, inVain: Set<string>): Promise<void> {
    const wish = JSON.stringify([waiting.input.scope, waiting.input.assistantIds]);
    if (!this.waiting.has(waiting) || inVain.has(wish)) return;
    try {
      const run = await this.claim(waiting.input);
      if (run === null) inVain.add(wish);
      else if (this.waiting.has(waiting)) waiting.answer(run);
      // It left while the store was asked.
      else await this.giveBack(run.agentRunId, run.token, waiting.input.boundTo);
    } catch (error) {
      waiting.fail(error as Error);
    }
  }

  private claim({ scope, assistantIds, claimedBy, boundTo }: ClaimRunInput): Promise<ClaimedRun | null> {
    return this.outside.claim(scope, assistantIds, claimedBy, boundTo);
  }
}
