// Outbound, command driver. Keeps the beginning of what a program writes, and its last line; counts the rest.
import type { CapturedText } from '../../domain/run-end';

const MOST_LATE_BYTES = 256 * 1024;

export class Capture {
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  private dropped = 0;
  /** What came after the cut, as far as it may belong to the last line: what is told there must not be lost. */
  private readonly late: Buffer[] = [];
  private lateBytes = 0;

  constructor(private readonly limit: number) {}

  /** Answers what of it is kept. */
  push(chunk: Buffer): Buffer {
    const room = this.limit - this.kept;
    // A slice would keep the whole chunk in memory: what is cut is copied.
    const part = chunk.length <= room ? chunk : Buffer.from(chunk.subarray(0, room));
    if (part.length > 0) this.chunks.push(part);
    this.kept += part.length;
    this.dropped += chunk.length - part.length;
    if (chunk.length > part.length) this.keepLate(chunk.subarray(part.length));
    return part;
  }

  /** The last line that is not empty; of a longer output the last MOST_LATE_BYTES are searched for it. */
  lastLine(): string {
    const newest = this.dropped === 0 ? this.chunks : [...this.chunks.slice(-2), ...this.late];
    const text = Buffer.concat(newest).toString('utf8').trimEnd();
    return text.slice(text.lastIndexOf('\n') + 1);
  }

  /** As text that PostgreSQL can store: whatever is no UTF-8, and NUL, becomes U+FFFD. */
  text(): CapturedText {
    let bytes = Buffer.concat(this.chunks);
    let droppedBytes = this.dropped;
    if (droppedBytes > 0) {
      const whole = withoutHalfCharacter(bytes);
      droppedBytes += bytes.length - whole.length;
      bytes = whole;
    }
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\0', '\uFFFD');
    return { text, droppedBytes };
  }

  private keepLate(bytes: Buffer): void {
    this.late.push(bytes);
    this.lateBytes += bytes.length;
    while (this.late.length > 1 && this.lateBytes - (this.late[0]?.length ?? 0) >= MOST_LATE_BYTES) {
      this.lateBytes -= this.late.shift()?.length ?? 0;
    }
  }
}

/** The limit may fall into the middle of a character: its first bytes go with the rest, not into the text. */
function withoutHalfCharacter(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}
