// Platform, command line. What is piped into a command.
import { UsageError } from './api-errors';

export class CliInput {
  constructor(private readonly stream: NodeJS.ReadableStream & { readonly isTTY?: boolean } = process.stdin) {}

  /** All of it, as text. @throws UsageError when it is not UTF-8: what was meant would be lost without a word. */
  async all(): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of this.stream) parts.push(Buffer.from(part as Uint8Array));
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
    } catch {
      throw new UsageError('Standard input is not UTF-8.');
    }
  }
}
