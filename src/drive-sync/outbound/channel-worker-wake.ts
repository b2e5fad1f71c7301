// Outbound adapter. Wakes the workers of all processes through the database's wake channel.
import type { WakeChannel } from '../../platform/persistence/wake-channel';
import type { WorkerWake } from '../ports/worker-wake';

/** The worker's name in the timetable. */
export const DRIVE_SYNC_WORKER = 'drive-sync-worker';

export class ChannelWorkerWake implements WorkerWake {
  constructor(private readonly channel: WakeChannel) {}

  get arrives(): boolean {
    return this.channel.state === 'listening';
  }

  wake(): void {
    void this.channel.notify(DRIVE_SYNC_WORKER);
  }
}
