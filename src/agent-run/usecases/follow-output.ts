// Use case. What an agent says, as it says it: to the run's end, also when that is told by another process. A run that is over
// is told as it is stored.
import type { Actor } from '../../kernel/actor';
import type { AgentRun } from '../domain/agent-run';
import type { LiveOutput, OutputReader, SaidPiece } from '../ports/live-output';
import type { FindRuns } from './find-runs';

export type OutputEvent =
  | ({ readonly type: 'said' } & SaidPiece)
  /** What was told before is told again, from the beginning. */
  | { readonly type: 'restart' }
  /** Nothing new for a while: shows whether anybody is still there. */
  | { readonly type: 'quiet' }
  | { readonly type: 'end'; readonly run: AgentRun }
  /** As of now; it goes on. */
  | { readonly type: 'so-far' };

export interface FollowOutputInput {
  /** Where the caller left off; 0 from the beginning. */
  readonly position: number;
  /** Whether to wait for more until the run has ended. */
  readonly follow: boolean;
  readonly gone: AbortSignal;
}

type Told = 'left' | 'so-far' | { readonly run: AgentRun; readonly any: boolean };

/** What another process writes is looked for so often, and the run's end so often at least. */
const LOOK_MS = 500;
const LOOKS_PER_QUESTION = 4;
const LOOKS_PER_QUIET = 30;

export class FollowOutput {
  private closed = false;

  constructor(
    private readonly findRuns: FindRuns,
    private readonly live: LiveOutput,
  ) {}

  /** Throws AgentRunNotFoundError before the first event. */
  async run(actor: Actor, agentRunId: string, input: FollowOutputInput): Promise<AsyncGenerator<OutputEvent>> {
    const run = await this.findRuns.byId(actor, agentRunId);
    return run.ended ? this.stored(run, input.position) : this.following(actor, run, input);
  }

  /** Sends everybody away who still follows. */
  close(): void {
    this.closed = true;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- one shape for both
  private async *stored(run: AgentRun, position: number): AsyncGenerator<OutputEvent> {
    const { output, errorOutput } = run.fields.end ?? { output: null, errorOutput: null };
    if (position > 0) yield { type: 'restart' };
    if (errorOutput?.text) yield { type: 'said', stream: 'error_output', text: errorOutput.text, position: 0 };
    if (output?.text) yield { type: 'said', stream: 'output', text: output.text, position: 0 };
    yield { type: 'end', run };
  }

  private async *following(actor: Actor, run: AgentRun, input: FollowOutputInput): AsyncGenerator<OutputEvent> {
    const reader = this.live.read(run.id, input.position);
    try {
      const told: Told = yield* this.pieces(actor, run, input, reader);
      if (told === 'left') return;
      if (told === 'so-far') {
        yield { type: 'so-far' };
        return;
      }
      const ended = told.run.ended ? told.run : await this.untilEnded(actor, run.id, reader, input);
      if (ended === null) return;
      if (!told.any) yield* this.stored(ended, input.position);
      else yield { type: 'end', run: ended };
    } finally {
      await reader.close();
    }
  }

  private async *pieces(
    actor: Actor,
    first: AgentRun,
    { follow, gone }: FollowOutputInput,
    reader: OutputReader,
  ): AsyncGenerator<OutputEvent, Told> {
    let run = first;
    let any = false;
    for (let looks = 1; ; looks++) {
      const pieces = await reader.next();
      for (const piece of pieces) yield { type: 'said', ...piece };
      any ||= pieces.length > 0;
      if (gone.aborted || this.closed) return 'left';
      if (pieces.length > 0) continue;
      if (reader.complete || run.ended) return { run, any };
      if (!follow) return 'so-far';
      await reader.change(LOOK_MS);
      if (looks % LOOKS_PER_QUESTION === 0) run = await this.findRuns.byId(actor, run.id);
      if (looks % LOOKS_PER_QUIET === 0) yield { type: 'quiet' };
    }
  }

  /** All was said; the end is about to be stored. */
  private async untilEnded(
    actor: Actor,
    id: string,
    reader: OutputReader,
    { gone }: FollowOutputInput,
  ): Promise<AgentRun | null> {
    for (;;) {
      const run = await this.findRuns.byId(actor, id);
      if (run.ended) return run;
      if (gone.aborted || this.closed) return null;
      await reader.change(LOOK_MS);
    }
  }
}
