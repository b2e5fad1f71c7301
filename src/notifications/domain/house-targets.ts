// Domain. Webhooks that the operator has set up with a line of settings each, for the first tenant.
import type { Endpoint, Target } from './endpoint';
import { USUAL_TYPES } from './webhook-event';

export interface HouseTargets {
  readonly slack?: string;
  readonly ntfy?: string;
  readonly mail?: string;
}

const FIRST_TENANT = 1;

export function houseTargets(settings: HouseTargets, now: Date): Endpoint[] {
  const given: [Target, string | undefined][] = [
    ['slack', settings.slack],
    ['ntfy', settings.ntfy],
    ['mail', settings.mail === undefined ? undefined : `mailto:${settings.mail}`],
  ];
  return given.flatMap(([target, url]) => (url === undefined ? [] : [houseTarget(target, url, now)]));
}

function houseTarget(target: Target, url: string, now: Date): Endpoint {
  return {
    id: `house-${target}`,
    tenantId: FIRST_TENANT,
    name: `${target}, from the settings`,
    target,
    url,
    eventTypes: USUAL_TYPES,
    enabled: true,
    disabledReason: null,
    failingSince: null,
    previousSecretUntil: null,
    createdBy: 'operator',
    createdAt: now,
    updatedAt: now,
  };
}
