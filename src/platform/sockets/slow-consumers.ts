// Platform, sockets. Cuts a connection that does not read what it is sent: it would be buffered without limit, and one
// paused tab would cost hundreds of megabytes. Whoever comes back asks for what it missed.
import type { Socket } from 'socket.io';

type EngineConnection = Socket['conn'];

/** Engine.IO keeps it private, and has no other way to learn how much waits. */
interface WithBuffer {
  readonly writeBuffer?: readonly { readonly data?: unknown }[];
  readonly transport?: { readonly socket?: { terminate?(): void } };
}

const CONGESTED_PACKETS = 256;
const MOST_PACKETS = 1_024;
const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_CONGESTION_MS = 5_000;
/** Adding up what waits costs a walk through it. */
const WEIGHED_EVERY = 64;

export function isCongested(connection: EngineConnection): boolean {
  return waiting(connection).length > CONGESTED_PACKETS;
}

/** Looks whenever something is added to what waits; nothing to look after while all is well. */
export function cutWhenSlow(
  connection: EngineConnection,
  cut: () => void,
  monotonicMs = () => performance.now(),
): void {
  let congestedSince: number | undefined;
  let packets = 0;
  connection.on('packetCreate', () => {
    const buffer = waiting(connection);
    packets += 1;
    if (buffer.length <= CONGESTED_PACKETS) {
      congestedSince = undefined;
      // Few and large ones weigh as much.
      if (buffer.length < 8 || packets % WEIGHED_EVERY !== 0 || weight(buffer) <= MOST_BYTES) return;
    } else {
      congestedSince ??= monotonicMs();
      const tooLong = monotonicMs() - congestedSince > LONGEST_CONGESTION_MS;
      const tooHeavy = packets % WEIGHED_EVERY === 0 && weight(buffer) > MOST_BYTES;
      if (!tooLong && !tooHeavy && buffer.length <= MOST_PACKETS) return;
    }
    cut();
    connection.close(true);
    // A polite close would wait behind all that is not read.
    (connection as unknown as WithBuffer).transport?.socket?.terminate?.();
  });
}

function waiting(connection: EngineConnection): NonNullable<WithBuffer['writeBuffer']> {
  return (connection as unknown as WithBuffer).writeBuffer ?? [];
}

function weight(buffer: NonNullable<WithBuffer['writeBuffer']>): number {
  let bytes = 0;
  for (const { data } of buffer) bytes += typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0;
  return bytes;
}
