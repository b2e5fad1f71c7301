// Platform, outbox: facts between features, in one transaction with what they tell of. The front door.
export { appendEvents, OUTBOX_RELAY } from './append-events';
export { type OutboxConsumer, OutboxConsumers } from './outbox-consumers';
export type { NewEvent, OutboxEvent } from './outbox-event';
