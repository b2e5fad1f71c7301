// Outbound. The topic that wakes the deliverer of webhooks, which is also its name in the timetable.
export const DELIVERER = 'webhook-deliverer';
