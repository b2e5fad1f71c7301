// Domain: the bytes of a file, piece by piece; never whole in memory.
export type Content = AsyncIterable<Uint8Array>;
