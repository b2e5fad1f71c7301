// Outbound adapter: connected drives, through the front door of drive-sync.
import { DriveProblemError, type QueueChanges, type WatchDrive } from '../../drive-sync';
import type { Watched, Watcher } from '../ports/watcher';

export class DriveWatcher implements Watcher {
  constructor(
    private readonly drives: WatchDrive,
    private readonly changes: QueueChanges,
  ) {}

  connected(): Promise<Watched[]> {
    return this.drives.connected();
  }

  one(tenantId: number): Promise<Watched | null> {
    return this.drives.one(tenantId);
  }

  watch(watched: Watched, ask: Parameters<Watcher['watch']>[1], now: Date): ReturnType<Watcher['watch']> {
    return this.drives.watch(watched, ask, now);
  }

  async stop(tenantId: number, id: string, resourceId: string): Promise<void> {
    try {
      await this.drives.stop(tenantId, id, resourceId);
    } catch (error) {
      if (error instanceof DriveProblemError && error.problem === 'not-found') return;
      throw error;
    }
  }

  changed(tenantId: number, now: Date): Promise<void> {
    return this.changes.run(tenantId, now);
  }
}
