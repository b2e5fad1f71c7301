// Outbound adapter. Wakes the pollers of all processes through the database's wake channel.
import type { WakeChannel } from '../../platform/persistence/wake-channel';
import type { PollerWake } from '../ports/poller-wake';

/** Their names in the timetable. */
export const POLLER = 'schedule-poller';
const WAITING = 'waiting-runs';

export class ChannelPollerWake implements PollerWake {
  constructor(private readonly channel: WakeChannel) {}

  wake(): void {
    void this.channel.notify(POLLER);
  }

  wakeWaiting(): void {
    void this.channel.notify(WAITING);
  }
}
