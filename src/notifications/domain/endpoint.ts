// Domain. A webhook: where facts of a tenant are sent, and in which clothes.
import { EndpointInvalidError } from './errors';
import { isDeliveredType } from './webhook-event';

/** `signed`: JSON with Standard Webhooks signatures. The others speak what their receivers understand. */
export const TARGETS = ['signed', 'slack', 'ntfy', 'mail'] as const;
export type Target = (typeof TARGETS)[number];

export interface Endpoint {
  readonly id: string;
  readonly tenantId: number;
  readonly name: string;
  readonly target: Target;
  /** `mailto:…` for mail. */
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  /** `gone`, `failing`, or null when a person disabled it. */
  readonly disabledReason: string | null;
  /** No delivery has succeeded since; null: the last one did. */
  readonly failingSince: Date | null;
  /** Until then the previous secret signs beside the new one. */
  readonly previousSecretUntil: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Secrets {
  readonly current: string;
  readonly previous: string | null;
}

/** After rotation both secrets are good for a day: time to bring the new one to the receiver. */
export const OVERLAP_MS = 86_400_000;
export const MOST_ENDPOINTS = 50;

const LONGEST_NAME = 100;
const LONGEST_URL = 2_048;

export function checkedName(name: string): string {
  const text = name.trim();
  if (text !== '' && text.length <= LONGEST_NAME && !/\p{Cc}/u.test(text)) return text;
  throw new EndpointInvalidError('name', `name must be 1 to ${LONGEST_NAME} characters on one line`);
}

export function checkedTypes(types: readonly string[]): string[] {
  const unknown = types.find((type) => !isDeliveredType(type));
  if (unknown !== undefined) {
    throw new EndpointInvalidError('event_types', `event_types: ${JSON.stringify(unknown)} is no event`);
  }
  if (types.length === 0) throw new EndpointInvalidError('event_types', 'event_types must name at least one event');
  return [...new Set(types)];
}

/** Only the shape; whether it may be called is for the guard of outgoing calls. */
export function checkedUrl(target: Target, url: string): string {
  if (url.length > LONGEST_URL) throw new EndpointInvalidError('url', `url must be at most ${LONGEST_URL} characters`);
  const shape = target === 'mail' ? /^mailto:[^\s@,<>?]+@[^\s@,<>?]+$/i : /^https?:\/\/\S+$/i;
  if (shape.test(url)) return url;
  const example = target === 'mail' ? 'mailto:ops@example.org' : 'https://example.org/hook';
  throw new EndpointInvalidError('url', `url must be an address such as ${example}`);
}
