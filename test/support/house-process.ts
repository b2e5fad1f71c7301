// Test support. A process of its own with a data folder, its lock and its PostgreSQL, that tests start and kill.
// This file is both ends: what the test holds, and (run by node) what the process does.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DataFolder } from '../../src/platform/data-folder/data-folder';
import { FolderLock } from '../../src/platform/data-folder/folder-lock';
import { EmbeddedPostgres } from '../../src/platform/embedded/embedded-postgres';

export type Order = 'lock' | 'unlock' | 'start' | 'stop';
export interface Answer {
  ok: boolean;
  code?: string;
  message?: string;
  postgres?: number;
  port?: number;
  uid?: number;
}

export class HouseProcess {
  private constructor(private readonly child: ChildProcess) {}

  static async begin(folder: string, user?: { uid: number; gid: number }): Promise<HouseProcess> {
    const root = join(__dirname, '..', '..');
    const child = fork(__filename, [folder], {
      cwd: '/',
      silent: true,
      execArgv: ['-r', join(root, 'scripts', 'swc-register.cjs')],
      ...(user && { uid: user.uid, gid: user.gid }),
    });
    await once(child, 'message');
    return new HouseProcess(child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  async order(order: Order): Promise<Answer> {
    this.child.send(order);
    const [answer] = (await once(this.child, 'message')) as [Answer];
    return answer;
  }

  /** An error that nobody catches ends the process. */
  async fail(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.child.send('fail');
    await gone;
  }

  /** Ends the process and waits for its end. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }
}

if (require.main === module) {
  const path = process.argv[2]!;
  let lock: FolderLock | undefined;
  let server: EmbeddedPostgres | undefined;
  const orders: Record<Order, () => Promise<Partial<Answer>>> = {
    lock: async () => {
      lock = await FolderLock.acquire(DataFolder.open(path));
      return {};
    },
    unlock: () => {
      lock?.release();
      return Promise.resolve({});
    },
    start: async () => {
      const folder = DataFolder.open(path);
      server = await EmbeddedPostgres.start({ folder: folder.path, password: 'test', durable: false });
      return { postgres: server.pid, port: server.port };
    },
    stop: async () => {
      await server?.stop();
      return {};
    },
  };
  process.on('message', (order: Order | 'fail') => {
    if (order === 'fail') throw new Error('an error of the house, for a test');
    orders[order]()
      .then((more) => process.send!({ ok: true, uid: process.getuid?.(), ...more }))
      .catch((error: Error & { code?: string }) => {
        process.send!({ ok: false, code: error.code, message: error.message });
      });
  });
  // The test is gone.
  process.on('disconnect', () => process.exit());
  process.send!('ready');
}
