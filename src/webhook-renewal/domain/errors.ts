// Domain: what a message that is none of ours is answered.
import { DomainError } from '../../kernel/domain-error';

/** Unknown channel, wrong token, wrong resource, over: never told apart. */
export class ChannelUnknownError extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'webhook-renewal.channel-unknown';
  constructor() {
    super('There is no such channel.');
  }
}

export class TooManyMessagesError extends DomainError {
  readonly kind = 'exhausted';
  readonly code = 'webhook-renewal.too-many-messages';
  constructor() {
    super('Too many messages for channels that do not exist. Try again in a minute.');
  }
}
