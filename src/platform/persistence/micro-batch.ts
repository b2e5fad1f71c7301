// Platform, persistence. Collects single writes and sends them as one statement: on the hot path a round trip and a
// commit cost far more than a row. What comes while a batch is being written is the next batch, so that bursts are
// cheap without anybody waiting for company.
import { inTurns } from '../../kernel/in-turns';

export interface MicroBatchOptions {
  /** How long the first item waits for company; 0: for what else this turn of the event loop brings. */
  readonly windowMs: number;
  /** The most items of one flush. */
  readonly max: number;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly resolve: (result: O) => void;
  readonly reject: (reason: unknown) => void;
}

export class MicroBatch<I, O> {
  private waiting: Waiting<I, O>[] = [];
  private timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  private flushing: Promise<void> = Promise.resolve();
  private answering: Promise<void> = Promise.resolve();

  /** `flush` answers item by item, in order. When it fails, every item of that flush fails with its error. */
  constructor(
    private readonly flush: (items: readonly I[]) => Promise<readonly O[]>,
    private readonly options: MicroBatchOptions,
  ) {}

  add(item: I): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length >= this.options.max) this.send();
      else this.timer ??= this.soon(() => this.send());
    });
  }

  /** Resolves when everything added so far was flushed, well or badly. */
  async drain(): Promise<void> {
    this.send();
    await this.flushing;
    await this.answering;
  }

  private soon(send: () => void): NodeJS.Timeout | NodeJS.Immediate {
    const { windowMs } = this.options;
    return windowMs > 0 ? setTimeout(send, windowMs) : setImmediate(send);
  }

  /** One flush at a time: while one is under way the next batch fills up, which is what makes bursts cheap. */
  private send(): void {
    if (this.options.windowMs > 0) clearTimeout(this.timer as NodeJS.Timeout);
    else clearImmediate(this.timer as NodeJS.Immediate);
    this.timer = undefined;
    this.flushing = this.flushing.then(() => this.sendNext());
  }

  private async sendNext(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.max);
    if (batch.length === 0) return;
    let answer: (waiting: Waiting<I, O>, index: number) => void;
    try {
      const results = await this.flush(batch.map(({ item }) => item));
      answer = ({ resolve }, index) => resolve(results[index] as O);
    } catch (error) {
      answer = ({ reject }) => reject(error);
    }
    // What they do next must not keep the next flush from its first round trip.
    this.answering = this.answering.then(() => inTurns(batch, answer));
    if (this.waiting.length > 0 && this.timer === undefined) this.send();
  }
}
