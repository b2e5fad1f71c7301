// Platform, outbox: facts between features, in one transaction with what they tell of. The front door.
export { appendEvents, appendingOne, OUTBOX_RELAY, valuesOf } from './append-events';
export { type OutboxConsumer, OutboxConsumers } from './outbox-consumers';
export type { NewEvent, OutboxEvent } from './outbox-event';
