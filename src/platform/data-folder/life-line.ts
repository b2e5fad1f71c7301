// Platform, data folder. A socket that its owner listens on for as long as it lives. The kernel closes it with the
// process, however that ends, so whether somebody answers is the truth: also across containers that share the
// folder, where process ids (everybody is 1) tell nothing.
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

// A socket's address holds 104 bytes on macOS and 108 on Linux.
const LONGEST_ADDRESS = 100;

export type Pulse = 'alive' | 'dead' | 'unknown';

/** Begins to listen. Undefined where the file system has no sockets: the caller then goes by process ids alone. */
export async function holdLifeLine(path: string): Promise<Server | undefined> {
  const server = createServer((visitor) => visitor.destroy());
  try {
    await throughShortPath(path, (address) => {
      return new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(address, resolve);
      });
    });
    chmodSync(path, 0o600);
    server.unref();
    return server;
  } catch (error) {
    server.close();
    rmSync(path, { force: true });
    if (UNSUPPORTED.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Whether somebody listens. A stopped (not ended) owner counts as alive: the kernel answers for it. */
export async function feelPulse(path: string): Promise<Pulse> {
  return throughShortPath(path, (address) => {
    return new Promise<Pulse>((resolve) => {
      const visitor = connect(address);
      visitor.once('connect', () => {
        visitor.destroy();
        resolve('alive');
      });
      visitor.once('error', (error: NodeJS.ErrnoException) => {
        // EAGAIN: so many are asking at this moment that the queue is full, hence somebody holds it.
        resolve(error.code === 'ECONNREFUSED' ? 'dead' : error.code === 'EAGAIN' ? 'alive' : 'unknown');
      });
    });
  });
}

const UNSUPPORTED = new Set(['ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EINVAL', 'ENOSYS']);

async function throughShortPath<T>(path: string, work: (address: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= LONGEST_ADDRESS) return work(path);
  const detour = mkdtempSync(join(tmpdir(), 'horarium-'));
  try {
    symlinkSync(dirname(path), join(detour, 'd'));
    return await work(join(detour, 'd', basename(path)));
  } finally {
    rmSync(detour, { recursive: true, force: true });
  }
}
