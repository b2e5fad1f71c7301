// Outbound adapter. Wakes the row of the timetable that ends abandoned edits, in every process.
import type { WakeChannel } from '../../platform/persistence/wake-channel';
import type { AbandonedWatch } from '../ports/abandoned-watch';

/** The name of the row, and the topic of its wake-up. */
const SURVEY_LOCKS = 'survey-locks';

export class ChannelAbandonedWatch implements AbandonedWatch {
  constructor(private readonly channel: Pick<WakeChannel, 'notify'>) {}

  rouse(): void {
    void this.channel.notify(SURVEY_LOCKS);
  }
}
