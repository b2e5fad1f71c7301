// Port. Whoever is looking at this moment. Nothing is lost when nobody hears it: the rows are there already.
import { token } from '../../kernel/token';
import type { Notification, Reload } from '../domain/notification';

export interface LiveRooms {
  tell(notification: Notification): void;
  /** Several within a moment become one: to fetch again twice is to fetch again once. */
  reload(tenantId: number, reload: Reload): void;
}

export const LiveRooms = token<LiveRooms>('LiveRooms');
