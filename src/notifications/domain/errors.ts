// Domain. What can go wrong with notifications and webhooks.
import { DomainError } from '../../kernel/domain-error';

export class RoomNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'notifications.room-not-found';
  constructor() {
    super('There is no such room.', { field: 'room' });
  }
}

export class NotificationNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'notifications.notification-not-found';
  constructor(id: string) {
    super(`There is no notification ${JSON.stringify(id)}.`);
  }
}

export class TaskUnknownError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'notifications.task-not-found';
  constructor(id: string) {
    super(`There is no scheduled task ${JSON.stringify(id)}.`);
  }
}

export class ReloadRefusedError extends DomainError {
  readonly kind = 'refused';
  readonly code = 'notifications.reload-refused';
  constructor() {
    super('Only who may write here may make others reload.', { field: 'room' });
  }
}

export class EndpointNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'notifications.webhook-not-found';
  constructor(id: string) {
    super(`There is no webhook ${JSON.stringify(id)}. List your webhooks to see their ids.`);
  }
}

export class DeliveryNotFoundError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'notifications.delivery-not-found';
  constructor(id: string) {
    super(`There is no delivery ${JSON.stringify(id)}.`);
  }
}

export class EndpointInvalidError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'notifications.webhook-invalid';
  constructor(field: string, message: string) {
    super(message, { field });
  }
}

export class EndpointDisabledError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'notifications.webhook-disabled';
  constructor() {
    super('The webhook is disabled; enable it first.');
  }
}

export class TooManyEndpointsError extends DomainError {
  readonly kind = 'exhausted';
  readonly code = 'notifications.too-many-webhooks';
  constructor(most: number) {
    super(`There are ${most} webhooks already; delete one first.`);
  }
}
